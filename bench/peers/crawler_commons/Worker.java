// crawler-commons: SiteMapParser over the bytes, every field of each entry taken. Speaks the same lines as ../worker.py.

import com.sun.management.OperatingSystemMXBean;
import crawlercommons.sitemaps.SiteMap;
import crawlercommons.sitemaps.SiteMapParser;
import crawlercommons.sitemaps.SiteMapURL;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

class Worker {
    static final long TURN = 1_000_000_000L;
    /** The first turn, which nobody measures, lasts longer: the just-in-time compiler needs that to be done. */
    static final long WARM_UP = 5 * TURN;

    static int read(byte[] data) throws Exception {
        SiteMap sitemap = (SiteMap) new SiteMapParser(false).parseSiteMap(data, new URL("https://www.example.com/sitemap.xml"));
        int entries = 0;
        for (SiteMapURL entry : sitemap.getSiteMapUrls()) {
            if (entry.getUrl() != null && entry.getPriority() >= 0) entries++;
            entry.getLastModified();
            entry.getChangeFrequency();
        }
        return entries;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] data = Files.readAllBytes(Path.of(arguments[0]));
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.printf("{\"versions\": {\"crawler-commons\": \"1.5\", \"Java\": \"%s\"}}%n", Runtime.version());
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in));
        long turn = WARM_UP;
        while (turns.readLine() != null) {
            // As in ../worker.py: a turn lasts at least a second, and the mean of its reads counts.
            long used = system.getProcessCpuTime(), start = System.nanoTime();
            int reads = 0, entries = 0;
            for (; reads == 0 || System.nanoTime() - start < turn; reads++) entries = read(data);
            double seconds = (System.nanoTime() - start) / 1e9 / reads;
            double cpu = (system.getProcessCpuTime() - used) / 1e9 / reads;
            System.out.printf(Locale.ROOT, "{\"seconds\": %f, \"cpu_seconds\": %f, \"entries\": %d}%n", seconds, cpu, entries);
            turn = TURN;
        }
    }
}
