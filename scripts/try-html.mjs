// Opens HTML reports in headless Chromium: screenshots in two widths and both color schemes, no request, no script, no page that scrolls
// sideways, and no violation that axe-core finds. `scripts/try-html.sh` installs what it needs and calls it:
//
//   node try-html.mjs CHROMIUM SCREENSHOTS FILE.html...

import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

// The packages are beside the current directory, not beside this file.
const require = createRequire(join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const { source: axe } = require("axe-core");

const [chromium, folder, ...files] = process.argv.slice(2);
const WIDTHS = [400, 1400];
const SCHEMES = ["light", "dark"];
let faults = 0;

function fault(file, message) {
  faults += 1;
  console.error(`${basename(file)}: ${message}`);
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
try {
  for (const file of files) {
    const address = pathToFileURL(resolve(file)).href;
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const page = await browser.newPage();
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        page.on("request", (request) => {
          if (request.url() !== address) fault(file, `requests ${request.url()}`);
        });
        page.on("console", (message) => fault(file, `console: ${message.text()}`));
        page.on("dialog", async (dialog) => {
          fault(file, `a script ran: ${dialog.message()}`);
          await dialog.dismiss();
        });
        // axe-core is evaluated by the protocol of the browser, which the policy of the page allows.
        await page.goto(address);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (wide > 0) fault(file, `${wide} pixels wider than ${width}`);
        const name = `${basename(file, ".html")}-${width}-${scheme}.png`;
        await page.screenshot({ path: join(folder, name), fullPage: true });
        await page.evaluate(axe);
        // With the keyboard, the first link leads past the heading.
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        if (!page.url().endsWith("#content")) fault(file, "the first link does not skip to the report");
        if (await page.evaluate(() => document.scripts.length > 0)) fault(file, "has a script");
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        for (const { id, help, nodes } of violations) {
          fault(file, `${width} ${scheme}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html).join(" ")}`);
        }
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
}
console.log(`${files.length} pages in ${WIDTHS.length} widths and ${SCHEMES.length} color schemes: ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
