// sitemap.js: XMLToSitemapItemStream over the bytes, every item taken. Speaks the same lines as ../worker.py.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { XMLToSitemapItemStream } from "sitemap";

const CHUNK = 64 * 1024; // as fs.createReadStream reads
const data = readFileSync(process.argv[2]);
const manifest = new URL("./node_modules/sitemap/package.json", import.meta.url);

function* chunks() {
  for (let start = 0; start < data.length; start += CHUNK) yield data.subarray(start, start + CHUNK);
}

function read() {
  return new Promise((resolve, reject) => {
    let entries = 0;
    Readable.from(chunks(), { objectMode: false })
      .on("error", reject)
      .pipe(new XMLToSitemapItemStream({ logger: false }))
      .on("data", (item) => {
        if (item.url) entries += 1;
      })
      .on("end", () => resolve(entries))
      .on("error", reject);
  });
}

const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
answer({ versions: { "sitemap.js": JSON.parse(readFileSync(manifest)).version, node: process.version.slice(1) } });
for await (const _ of createInterface({ input: process.stdin })) {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  let entries = 0;
  let reads = 0;
  // As in ../worker.py: a turn lasts at least a second, and the mean of its reads counts.
  for (; reads === 0 || performance.now() - wall < 1000; reads += 1) entries = await read();
  const seconds = (performance.now() - wall) / 1000 / reads;
  const used = process.cpuUsage(cpu);
  answer({ seconds, cpu_seconds: (used.user + used.system) / 1e6 / reads, entries });
}
