import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { paths } from "./paths";
import { REFERENCE_LANGUAGES } from "./reference/languageNames";
import { languageReference } from "./reference/languageReference";
import { readPackageDescription } from "./reference/packageDescription";
import { runMain } from "./runMain";

/** `npm run docs:languages -- [folder]`: writes the reference of each language, into `.cache/docs/languages` by default. */
runMain(() => {
  const folder = resolve(process.argv[2] ?? join(paths.cache, "docs/languages"));
  mkdirSync(folder, { recursive: true });
  for (const language of REFERENCE_LANGUAGES) {
    const page = join(folder, `${language}.md`);
    writeFileSync(page, languageReference(language, readPackageDescription()));
    process.stdout.write(`${page}\n`);
  }
  return Promise.resolve();
});
