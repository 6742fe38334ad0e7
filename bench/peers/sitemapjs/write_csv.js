// sitemap.js: SitemapAndIndexStream over the lines of a CSV file, plain files of 50,000. Usage: write_csv.js FILE FOLDER
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { SitemapAndIndexStream, SitemapStream } from "sitemap";

const SITE = "https://www.example.com";
const [path, folder] = process.argv.slice(2);
const files = [];

async function* pages() {
  let isHeader = true;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const comma = line.lastIndexOf(",");
    if (!isHeader) yield { url: line.slice(0, comma), lastmod: line.slice(comma + 1) };
    isHeader = false;
  }
}

const index = new SitemapAndIndexStream({
  limit: 50_000,
  getSitemapStream: (part) => {
    const sitemap = new SitemapStream({ hostname: SITE, lastmodDateOnly: true });
    const file = sitemap.pipe(createWriteStream(join(folder, `sitemap-${part}.xml`)));
    files.push(finished(file));
    return [`${SITE}/sitemap-${part}.xml`, sitemap, file];
  },
});
await pipeline(Readable.from(pages()), index, createWriteStream(join(folder, "sitemap.xml")));
await Promise.all(files);
