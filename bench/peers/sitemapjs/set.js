// sitemap.js: SitemapAndIndexStream, plain files of 50,000 entries each and their index in a folder.
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { SitemapAndIndexStream, SitemapStream } from "sitemap";

const SITE = "https://www.example.com";

export async function writeSet(pages, folder) {
  const files = [];
  const index = new SitemapAndIndexStream({
    limit: 50_000,
    getSitemapStream: (part) => {
      const sitemap = new SitemapStream({ hostname: SITE, lastmodDateOnly: true });
      const file = sitemap.pipe(createWriteStream(join(folder, `sitemap-${part}.xml`)));
      files.push(finished(file));
      return [`${SITE}/sitemap-${part}.xml`, sitemap, file];
    },
  });
  await pipeline(Readable.from(pages), index, createWriteStream(join(folder, "sitemap.xml")));
  await Promise.all(files);
}
