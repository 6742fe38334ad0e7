// sitemap.js writing what a generator yields. Speaks the lines of ../writing.py.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { writeSet } from "./set.js";

const COUNT = Number(process.argv[2]);
const manifest = new URL("./node_modules/sitemap/package.json", import.meta.url);
const two = (number) => String(number).padStart(2, "0");

// Made before, so that making them is not what is measured.
const urls = [];
const lastmods = [];
for (let number = 0; number < COUNT; number += 1) {
  const query = number % 4 === 0 ? `?colour=ash&page=${number % 40}` : "";
  urls.push(`https://www.example.com/catalogue/garden/amber-ash-${number}${query}`);
  lastmods.push(`2025-${two((number % 12) + 1)}-${two((number % 28) + 1)}`);
}

function* pages() {
  for (let number = 0; number < COUNT; number += 1) yield { url: urls[number], lastmod: lastmods[number] };
}

const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
answer({ versions: { "sitemap.js": JSON.parse(readFileSync(manifest)).version, node: process.version.slice(1) } });
for await (const _ of createInterface({ input: process.stdin })) {
  const folder = mkdtempSync(join(tmpdir(), "sitemapjs-"));
  const cpu = process.cpuUsage();
  const wall = performance.now();
  await writeSet(pages(), folder);
  const seconds = (performance.now() - wall) / 1000;
  const used = process.cpuUsage(cpu);
  rmSync(folder, { recursive: true });
  answer({ seconds, cpu_seconds: (used.user + used.system) / 1e6, entries: COUNT });
}
