import { parseArgs } from "node:util";
import { talosMinor } from "../../provider/config/releases/talosMinor";
import { talosSchemas } from "../../provider/config/schema/talosSchemas";

/** What a person chooses with the words after `npm run adopt --`. */
export interface AdoptArguments {
  /** `v1.15.0-alpha.1`; `newest` for the newest that Go's proxy names. */
  readonly release: string;
  /** The release that it is compared with: one that the package has a schema of. */
  readonly since: string;
  /** Whether the checkout stays as it is. */
  readonly reportOnly: boolean;
  /** The file of the report, from the checkout; undefined for standard output. */
  readonly report: string | undefined;
}

const USAGE =
  "usage: npm run adopt -- <release, like v1.15.0-alpha.1, or newest> [--since <release>] [--report-only] [--report <file>]";

/**
 * Reads the words after `npm run adopt --`.
 *
 * @throws Error that says what is wrong with them
 */
export function readAdoptArguments(words: readonly string[]): AdoptArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      since: { type: "string" },
      "report-only": { type: "boolean", default: false },
      report: { type: "string" },
    },
  });
  const [release, ...others] = positionals;
  if (release === undefined || others.length > 0) {
    throw new Error(USAGE);
  }
  if (release !== "newest" && !/^v1\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(release)) {
    throw new Error(
      `"${release}" is no release of Talos: write one like v1.15.0 or v1.15.0-alpha.1\n${USAGE}`,
    );
  }
  const known = [...talosSchemas.values()].map(({ file }) => file["x-talosVersion"]);
  const since = values.since ?? sinceOf(release, known);
  if (!known.includes(since)) {
    throw new Error(
      `--since: the package has no facts of Talos "${since}": choose one of ${known.join(", ")}`,
    );
  }
  return { release, since, reportOnly: values["report-only"], report: values.report };
}

/** The newest release that the package knows, of the same minor or an older one. */
function sinceOf(release: string, known: readonly string[]): string {
  const minor = talosMinor(release) ?? Infinity;
  const older = known.filter((each) => each !== release && (talosMinor(each) ?? 0) <= minor);
  return older.at(-1) ?? known[0] ?? "";
}
