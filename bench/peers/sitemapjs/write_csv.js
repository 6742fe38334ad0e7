// sitemap.js writing the lines of a CSV file. Usage: write_csv.js FILE FOLDER
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { writeSet } from "./set.js";

const [path, folder] = process.argv.slice(2);

async function* pages() {
  let isHeader = true;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const comma = line.lastIndexOf(",");
    if (!isHeader) yield { url: line.slice(0, comma), lastmod: line.slice(comma + 1) };
    isHeader = false;
  }
}

await writeSet(pages(), folder);
