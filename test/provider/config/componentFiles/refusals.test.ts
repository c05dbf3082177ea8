import { describe, expect, it } from "vitest";
import type { ComponentFile } from "../../../../provider/config/componentFiles/componentFiles";
import { judgeFile } from "../../../../provider/config/componentFiles/verdict";
import { type FileCase, fileCases } from "./refusedFiles";
import recorded from "./testdata/refusals.json";

/** What real components printed about each file, by release: see `realComponents.test.ts`. */
const refusals: Readonly<Record<string, Readonly<Record<string, string | null>>>> = recorded;

const releases = [...new Set(Object.values(refusals).flatMap((each) => Object.keys(each)))];

/** A file where Talos puts it. */
const TALOS_FILE = /\/system\/config\/kubernetes\/kube-apiserver\/[\w-]+\.yaml/;

describe.each(releases)("components of Kubernetes %s", (release) => {
  it.each(fileCases)("print for $name what is foretold", (each) => {
    const told = refusals[each.name]?.[release];
    expect(told, "not recorded").toBeDefined();
    const { words } = judgeFile(fileOf(each, Number(release.split(".")[1])));
    expect(normal(words ?? null)).toBe(normal(told ?? null));
  });

  const authentication = fileCases.filter(({ kind }) => kind === "authentication");
  it.each(authentication)("print the same for $name in a file of a flag", (each) => {
    const ordinary = fileOf(each, Number(release.split(".")[1]));
    const kind = "AuthenticationConfiguration";
    const content = { ...each.content, apiVersion: "apiserver.config.k8s.io/v1beta1", kind };
    const { words } = judgeFile({ ...ordinary, content, asItIs: "FILE" });
    expect(normal(words ?? null)).toBe(normal(refusals[each.name]?.[release] ?? null));
  });
});

function fileOf({ kind, plugin, content }: FileCase, minor: number): ComponentFile {
  return {
    kind,
    content,
    minor,
    talosMinor: 14,
    talosTypes: 37,
    isUpstream: true,
    program: kind === "scheduler" ? "scheduler" : "apiServer",
    ...(plugin !== undefined && { plugin }),
    flags: { "enable-admission-plugins": plugin ?? "" },
    locate: (path) => ({ document: "", path }),
  };
}

/** Without what a file's place, Go's order of maps and the compiler's lines make of the words. */
function normal(words: string | null): string | null {
  return (
    words
      ?.replace(TALOS_FILE, "FILE")
      .replace(/scheme\.go:\d+/, "scheme.go")
      .replace(/(?<=supported values: )"[^[\]]*?"(?=\]|, \w+[.[]|$)/g, (list) =>
        list.split(", ").sort().join(", "),
      ) ?? null
  );
}
