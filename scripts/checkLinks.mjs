// checkLinks.mjs [folder]: fails on a link in README or docs that leads nowhere. Part of `npm run lint`; plain
// JavaScript, as it needs no build.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders below which Markdown is checked, besides the files of the root. */
const FOLDERS = ["docs", "examples", "emulator", "provider"];

/**
 * The links that lead nowhere, and the pages of docs/ that docs/README.md doesn't name.
 *
 * @param {string} root the folder of README.md
 * @returns {string[]} a line for each
 */
function brokenLinks(root) {
  const pages = pagesOf(root);
  const problems = pages.flatMap((page) =>
    linksIn(readFileSync(page, "utf8")).flatMap(({ target, line }) => {
      const problem = problemOf(page, target);
      return problem === undefined ? [] : [`${relative(root, page)}:${line}: ${problem}`];
    }),
  );
  const index = join(root, "docs/README.md");
  const named = linksIn(readFileSync(index, "utf8")).map(({ target }) =>
    resolve(dirname(index), target.split("#")[0] ?? ""),
  );
  const unnamed = pages.filter(
    (page) => page.startsWith(`${dirname(index)}/`) && page !== index && !named.includes(page),
  );
  return [
    ...problems,
    ...unnamed.map((page) => `docs/README.md: no link to ${relative(root, page)}`),
  ];
}

function pagesOf(root) {
  const below = FOLDERS.map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
    );
  const files = [...readdirSync(root).map((name) => join(root, name)), ...below];
  return files.filter((file) => file.endsWith(".md") && !file.includes("node_modules"));
}

/** Relative links with their lines, without those in code. */
function linksIn(text) {
  const prose = text
    .replace(/^( *)```[^]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ""))
    .replace(/(`+)[^`\n]+\1(?!\])/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(({ 1: target = "", index }) => ({
      target,
      line: prose.slice(0, index).split("\n").length,
    }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function problemOf(page, target) {
  const [path = "", anchor] = target.split("#");
  const named = path === "" ? page : resolve(dirname(page), path);
  // The Pulumi Registry wants links between its pages without the ending.
  const file = existsSync(named) ? named : `${named}.md`;
  if (!existsSync(file)) {
    return `there is no file "${path}"`;
  }
  if (anchor === undefined || statSync(file).isDirectory()) {
    return undefined;
  }
  return anchorsOf(readFileSync(file, "utf8")).has(anchor)
    ? undefined
    : `there is no heading "#${anchor}" in "${path === "" ? target : path}"`;
}

/** The anchors that GitHub gives headings. */
function anchorsOf(text) {
  const headings = text.replace(/^( *)```[^]*?^\1```/gm, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

const problems = brokenLinks(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length > 0 ? 1 : 0;
