import type { ConfigProblem } from "../configError";
import { type ConfigDocument, documentId, textAt } from "../machineConfig";
import type { Path } from "../path";
import { DocumentView } from "./documentView";

const MOUNT_KINDS = ["userVolume", "tmpfs", "hostPath"];
const MOUNT_OPTIONS = ["ro", "rw", "noexec", "nosuid", "nodev", "noatime", "rbind", "rshared"];
const NETWORK_CONDITIONS = ["addresses", "connectivity", "hostname", "etcfiles"];

/**
 * Checks a document about a container outside Kubernetes. Since v1.14. Source:
 * pkg/machinery/config/types/container, Talos v1.14.1.
 */
export function checkContainer(view: DocumentView): void {
  view.requireText(
    ["name"],
    (name) => /^[a-z0-9-]{1,63}$/.test(name),
    "is not a name for a container: 1 to 63 small letters, digits and hyphens",
  );
  view.require("which image it runs", ["image"]);
  view.checkText(
    ["image"],
    isImageReference,
    'is not the name of an image, like "ghcr.io/example/agent:v1.0.0"',
  );
  view.texts("environment").forEach(([path, text]) => {
    if (!text.includes("=")) {
      view.report(path, "has to be a variable and its value, like NAME=value");
    }
  });
  checkMounts(view);
  checkSecurity(view);
  view.requireWord(["network", "mode"], ["none", "host"], { optional: true });
  checkLimits(view);
  view.requireNotNegative(["runAs", "uid"]);
  view.requireNotNegative(["runAs", "gid"]);
  for (const [path] of view.texts("dependsOn", "paths")) {
    requirePath(view, path);
  }
  for (const [path] of view.texts("dependsOn", "networks")) {
    view.requireWord(path, NETWORK_CONDITIONS, { optional: false });
  }
  for (const [path, name] of view.texts("dependsOn", "containers")) {
    if (name === "" || name === view.text("name")) {
      view.report(path, "has to be the name of another container");
    }
  }
}

/**
 * Whether a text names an image: a registry or none, a repository, a tag, a digest. Source: `ParseReference`
 * in pkg/name of go-containerregistry v0.21.9, which Talos v1.14.1 asks.
 */
function isImageReference(text: string): boolean {
  const [named = "", digest, ...more] = text.split("@");
  if (more.length > 0 || (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest))) {
    return false;
  }
  const [, untagged = named, tag] = /^(.*):([^/:]*)$/s.exec(named) ?? [];
  if (tag !== undefined && !/^[\w.-]{1,128}$/.test(tag)) {
    return false;
  }
  const [, registry = "", path = untagged] =
    /^(localhost|[^/]*[.:][^/]*)\/(.*)$/s.exec(untagged) ?? [];
  return (
    /^[a-z0-9_./-]{2,255}$/.test(path) && /^(?:\[[\da-fA-F:.]+\]|[\w.~-]*)(?::\d*)?$/.test(registry)
  );
}

function checkMounts(view: DocumentView): void {
  const destinations = new Set<string>();
  view.list("mounts").forEach((_, index) => {
    const mount = ["mounts", index];
    const kinds = MOUNT_KINDS.filter((kind) => view.isMapping(...mount, kind));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      view.report(mount, `needs one of ${MOUNT_KINDS.join(", ")}, and no other`);
      return;
    }
    const place = [...mount, kind];
    if (kind === "userVolume") {
      view.require("which volume is mounted", [...place, "name"]);
    } else if (kind === "hostPath") {
      requirePath(view, [...place, "source"]);
    }
    requirePath(view, [...place, "destination"]);
    const destination = view.text(...place, "destination") ?? "";
    if (destinations.has(destination)) {
      view.report(
        [...place, "destination"],
        `${view.quote(...place, "destination")} is there twice: mount each place once`,
      );
    }
    destinations.add(destination);
    const options = view.texts(...place, "options");
    for (const [path] of options) {
      view.requireWord(path, MOUNT_OPTIONS, { optional: false });
    }
    if (["ro", "rw"].every((option) => options.some(([, text]) => text === option))) {
      view.report([...place, "options"], "has ro and rw: keep one of them");
    }
  });
}

function checkSecurity(view: DocumentView): void {
  view.requireWord(["security", "profile"], ["restricted", "privileged"], { optional: true });
  const place = ["security", "capabilities"];
  const dropped = view.texts(...place, "drop").map(([, name]) => name);
  for (const list of ["add", "drop"]) {
    for (const [path, name] of view.texts(...place, list)) {
      if (name === "ALL" && list === "add") {
        view.report(path, 'ALL can\'t be added: set the profile "privileged" instead');
      } else if (!/^(?!CAP_)[A-Z_]+$/.test(name)) {
        view.report(path, `${view.quote(...path)} is not a capability, like NET_ADMIN`);
      } else if (list === "add" && dropped.includes(name)) {
        view.report(path, `${view.quote(...path)} is dropped too: keep one of the two`);
      }
    }
  }
}

function checkLimits(view: DocumentView): void {
  const limits = ["resources", "limits"];
  view.checkText(
    [...limits, "cpu"],
    (cpu) => /^0*[1-9]\d*m$/.test(cpu),
    "is not a number of thousandths of a processor, like 1500m",
  );
  view.checkText(
    [...limits, "memory"],
    (memory) => /^\s*[\d.,]+\s*(?:[kmgtpe]?i?b?)\s*$/i.test(memory),
    "is not a size, like 512MiB",
  );
}

function requirePath(view: DocumentView, path: Path): void {
  view.requireText(path, (text) => text.startsWith("/"), 'is not a path that starts with "/"');
}

/**
 * Containers that wait for one that is not there, or for each other. Source:
 * pkg/machinery/config/container/container_deps.go, Talos v1.14.1.
 */
export function dependencyProblems(documents: readonly ConfigDocument[]): ConfigProblem[] {
  const containers = documents.filter(({ kind }) => kind === "ContainerConfig");
  const needs = new Map(
    containers.map((document) => {
      const view = new DocumentView(document, 14);
      const names = view.texts("dependsOn", "containers").map(([, name]) => name);
      return [textAt(document, "name") ?? "", names] as const;
    }),
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (needs.get(from) ?? []).some((next) => {
      if (next === to) {
        return true;
      }
      const isNew = !seen.has(next);
      return isNew && reaches(next, to, seen.add(next));
    });
  return containers.flatMap((document) => {
    const name = textAt(document, "name") ?? "";
    const about = { document: documentId(document), path: "dependsOn.containers" };
    const missing = (needs.get(name) ?? []).filter((other) => !needs.has(other));
    return [
      ...missing.map((other) => ({
        ...about,
        message: `there is no container ${JSON.stringify(other)}: it would wait for it forever`,
      })),
      ...(reaches(name, name)
        ? [{ ...about, message: "waits for a container that waits for it" }]
        : []),
    ];
  });
}
