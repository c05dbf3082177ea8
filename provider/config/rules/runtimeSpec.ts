import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import type { DocumentView } from "./documentView";

type Kind = "a text" | "a mapping" | "a list" | "true or false";

/** The most common members of an OCI runtime specification. Source: its config.md, v1.2. */
const members: Readonly<Record<string, Kind>> = {
  ociVersion: "a text",
  hostname: "a text",
  domainname: "a text",
  process: "a mapping",
  "process.terminal": "true or false",
  "process.user": "a mapping",
  "process.args": "a list",
  "process.env": "a list",
  "process.cwd": "a text",
  "process.capabilities": "a mapping",
  "process.rlimits": "a list",
  "process.noNewPrivileges": "true or false",
  root: "a mapping",
  "root.path": "a text",
  "root.readonly": "true or false",
  mounts: "a list",
  hooks: "a mapping",
  annotations: "a mapping",
  linux: "a mapping",
  "linux.uidMappings": "a list",
  "linux.gidMappings": "a list",
  "linux.sysctl": "a mapping",
  "linux.resources": "a mapping",
  "linux.namespaces": "a list",
  "linux.devices": "a list",
  "linux.seccomp": "a mapping",
};

/** Checks that what is at a path is a valid part of an OCI runtime specification. */
export function checkRuntimeSpec(view: DocumentView, path: Path): void {
  for (const [member, kind] of Object.entries(members)) {
    const where = [...path, ...member.split(".")];
    const value = view.get(...where);
    if (value !== undefined && kindOf(value) !== kind) {
      view.report(
        where,
        `has to be ${kind} in an OCI runtime specification, not ${view.quote(...where)}`,
      );
    }
  }
}

function kindOf(value: YamlValue): Kind | undefined {
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isMapping(value)) {
    return "a mapping";
  }
  return typeof value === "string"
    ? "a text"
    : typeof value === "boolean"
      ? "true or false"
      : undefined;
}
