import { alignSequences } from "./align";
import { compareDocuments, type ConfigChange } from "./compareDocuments";
import { itemNaming } from "./itemNaming";
import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";
import { redactDocuments } from "./redact";
import { isSecretMark } from "./secretText";

/**
 * What is different between two configurations, for people: a line for each single value, `+` added,
 * `-` removed, `~` changed, with the way to it; a text of several lines as the lines that differ.
 * Secrets are replaced by fingerprints. Empty when nothing is different.
 *
 * ```
 * + machine.sysctls["net.core.somaxconn"]: "65535"
 * ~ HostnameConfig: hostname: "a" → "b"
 * ```
 */
export function renderComparison(
  before: readonly ConfigDocument[],
  after: readonly ConfigDocument[],
): string {
  const changes = compareDocuments(redactDocuments(before), redactDocuments(after));
  return changes
    .flatMap(renderChange)
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function renderChange({ document, path, kind, before, after }: ConfigChange): string[] {
  const label = document === "v1alpha1" ? "" : `${document}: `;
  if (kind === "changed") {
    return renderChanged(`~ ${label}${formatPath(path)}`, before, after);
  }
  const sign = kind === "added" ? "+" : "-";
  const value = (kind === "added" ? after : before) ?? null;
  if (path.length === 0 && isMapping(value) && label !== "") {
    const { apiVersion, kind: _, name, ...rest } = value;
    const lines = Object.keys(rest).length === 0 ? [] : renderValue(`${sign} ${label}`, [], rest);
    return [`${sign} ${document}`, ...lines];
  }
  return renderValue(`${sign} ${label}`, path, value);
}

/** All of a value that came or went. */
function renderValue(start: string, path: ChangePath, value: YamlValue): string[] {
  return leavesOf(path, value).flatMap(([leafPath, leaf]) => {
    const title = `${start}${formatPath(leafPath)}`;
    return isBlock(leaf)
      ? [`${title}:`, ...linesOf(leaf).map((line) => `${start.slice(0, 1)}   ${line}`)]
      : [`${title}: ${formatValue(leaf)}`];
  });
}

function renderChanged(title: string, before: YamlValue = null, after: YamlValue = null): string[] {
  if (
    typeof before !== "string" ||
    typeof after !== "string" ||
    !(isBlock(before) || isBlock(after))
  ) {
    return [`${title}: ${formatValue(before)} → ${formatValue(after)}`];
  }
  const [olds, news] = [linesOf(before), linesOf(after)];
  const same = alignSequences(olds, news);
  const [kept, keptNow] = [new Set(same.map(([old]) => old)), new Set(same.map(([, now]) => now))];
  const lines = [`${title}:`];
  let [left, right] = [0, 0];
  while (left < olds.length || right < news.length) {
    if (left < olds.length && !kept.has(left)) {
      lines.push(`-   ${olds[left++] ?? ""}`);
    } else if (right < news.length && !keptNow.has(right)) {
      lines.push(`+   ${news[right++] ?? ""}`);
    } else {
      left++;
      right++;
    }
  }
  return lines.length > 1 ? lines : [`${title}: ${formatValue(before)} → ${formatValue(after)}`];
}

type ChangePath = ConfigChange["path"];

/** The single values in a value, each with the way to it; a list of such counts as one. */
function leavesOf(path: ChangePath, value: YamlValue): (readonly [ChangePath, YamlValue])[] {
  if (isMapping(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, child]) => leavesOf([...path, key], child));
  }
  if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
    const naming = itemNaming([value]);
    return value.flatMap((item, index) => {
      const name = naming?.(item);
      return leavesOf([...path, name === undefined ? { index } : { index, name }], item);
    });
  }
  return [[path, value]];
}

function formatPath(path: ChangePath): string {
  return path
    .map((step, index) => {
      if (typeof step !== "string") {
        return `[${step.name ?? step.index}]`;
      }
      const name = /^[A-Za-z_$][\w$-]*$/.test(step) ? step : undefined;
      return name === undefined ? `[${JSON.stringify(step)}]` : `${index === 0 ? "" : "."}${name}`;
    })
    .join("");
}

function formatValue(value: YamlValue): string {
  if (Array.isArray(value)) {
    return `[${value.map(formatValue).join(", ")}]`;
  }
  return typeof value === "string" && isSecretMark(value) ? value : JSON.stringify(value);
}

function isBlock(value: YamlValue): value is string {
  return typeof value === "string" && value.trimEnd().includes("\n");
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** A line that can do nothing to a terminal. */
function printable(line: string): string {
  return line.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
