import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { paths } from "../paths";

/** The suites of `npm test`, in the order in which they start: fast ones first. */
const dailySuites = ["unit", "components", "engine", "conformance"] as const;

/** All suites. Those that aren't daily run when they are named. Each is a project of vitest.config.mts. */
export const suites = [...dailySuites, "life", "languages"] as const;

/** One of `suites`. */
export type Suite = (typeof suites)[number];

/** Suites with a folder of their own in `test/`; what lies in any other folder is a unit test. */
const ownFolders: readonly string[] = suites.filter((suite) => suite !== "unit");

/** What a run of `npm test` is about. */
export interface Selection {
  /** The suites to run, each with how many of its files the words match. */
  readonly files: ReadonlyMap<Suite, number>;
  /** Words of which a file's path must contain one; all files without any. */
  readonly words: readonly string[];
  /** Text that the name of a test must contain. Default: any. */
  readonly title?: string;
}

/**
 * Reads the words after `npm test --`: names of suites, parts of file names, and `-t` with a part of
 * a test's name.
 *
 * @throws Error when no file matches, or `-t` has no text
 */
export function readSelection(
  args: readonly string[],
  testFiles: readonly string[] = listTestFiles(),
): Selection {
  const flag = args.indexOf("-t");
  const title = flag === -1 ? undefined : args[flag + 1];
  if (flag !== -1 && title === undefined) {
    throw new Error(`-t needs a part of a test's name: npm test -- unit -t "refuses"`);
  }
  const words = args.filter((_, index) => flag === -1 || (index !== flag && index !== flag + 1));
  const named = suites.filter((suite) => words.includes(suite));
  const parts = words.filter((word) => !named.some((suite) => suite === word));
  const matching = testFiles.filter(
    (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
  );
  const files = new Map(
    (named.length === 0 ? dailySuites : named)
      .map((suite) => [suite, matching.filter((file) => suiteOf(file) === suite).length] as const)
      .filter(([, count]) => count > 0),
  );
  if (files.size === 0) {
    const where = named.length === 0 ? dailySuites : named;
    throw new Error(
      `no test file of ${where.join(", ")} has ${parts.map((part) => `"${part}"`).join(" or ")} in its path: ` +
        `name a suite (${suites.join(", ")}) or a part of a file's name, like: npm test -- engine network`,
    );
  }
  return { files, words: parts, ...(title !== undefined && { title }) };
}

/** The suite of a test file, by its path below the checkout. */
export function suiteOf(file: string): Suite {
  const folder = file.split("/")[1] ?? "";
  return ownFolders.includes(folder) ? (folder as Suite) : "unit";
}

function listTestFiles(): string[] {
  return readdirSync(join(paths.root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `test/${file.split(sep).join("/")}`);
}
