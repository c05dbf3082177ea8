import { type ConfigDocument, itemDocument, NEWEST_RELEASES, valueIn } from "../../provider/config";
import { talosKind } from "../../provider/engine";
import { blockOf, isBlock, property, textOf } from "../property";
import type { Properties, ResourceRule } from "../rule";

const VERSION = /^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** The content of such a URL changes. */
const MOVING_URL = /\/(latest|main|master|HEAD)\//;

/** Versions are exact: full releases, and images with tag or digest. */
export const pinnedVersions: ResourceRule = {
  name: "pinned-versions",
  description: "Talos, Kubernetes, images and manifests have exact versions",
  judge: ({ type, inputs }) => {
    switch (talosKind(type)) {
      case "MachineConfiguration":
        return ["talosVersion", "kubernetesVersion"].flatMap((name) => {
          const version = textOf(inputs, name);
          return version === undefined || VERSION.test(version)
            ? []
            : [
                `"${name}" is "${version}": name a release in full, as in "${NEWEST_RELEASES.talosVersion}"`,
              ];
        });
      case "ConfigurationApply": {
        const outline = blockOf(inputs, "redactedConfiguration");
        return [
          ...imagesIn(outline)
            .filter(([, image]) => !isPinned(image))
            .map(
              ([place, image]) =>
                `${place} is "${image}", which can change at any time: use a tag other than "latest", or a digest`,
            ),
          ...manifestsIn(outline as ConfigDocument)
            .filter(([, url]) => MOVING_URL.test(url))
            .map(
              ([place, url]) =>
                `${place} has "${url}", which can change at any time: use a URL with a version`,
            ),
        ];
      }
      default:
        return [];
    }
  },
};

function manifestsIn(outline: ConfigDocument): readonly (readonly [string, string])[] {
  const field = "cluster.extraManifests";
  const urls = valueIn(outline, field);
  return (Array.isArray(urls) ? urls : []).flatMap((url, index) =>
    typeof url === "string" ? [[itemDocument(outline, field, index) ?? field, url] as const] : [],
  );
}

function imagesIn(block: Properties, path = ""): readonly (readonly [string, string])[] {
  return Object.keys(block).flatMap((key): readonly (readonly [string, string])[] => {
    const value = property(block, key);
    const place = path === "" ? key : `${path}.${key}`;
    if (key === "image" && typeof value === "string") {
      return [[place, value]];
    }
    return isBlock(value) ? imagesIn(value, place) : [];
  });
}

function isPinned(image: string): boolean {
  const tag = /:([^:/@]+)$/.exec(image)?.[1];
  return image.includes("@sha256:") || (tag !== undefined && tag !== "latest");
}
