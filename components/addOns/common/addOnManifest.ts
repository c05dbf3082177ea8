import type * as pulumi from "@pulumi/pulumi";
import { quoteUrl } from "../../../provider/config";
import type { PropertyProblem } from "../../problems";
import type { ReplicatedAddOnPods } from "./addOnPodsArgs";

/**
 * A manifest of yours that replaces this package's objects: `manifest` or `manifestUrls`. It
 * excludes the settings of those objects, such as `replicas`.
 */
export interface AddOnManifest {
  /**
   * URLs from which the machines fetch it: https, without credentials, each with a version. The
   * content gets full rights in the cluster.
   */
  readonly manifestUrls?: readonly string[];
  /**
   * The manifest itself, YAML, as `helm template` writes it. It is part of every control plane
   * machine's configuration.
   */
  readonly manifest?: pulumi.Input<string>;
}

/**
 * An add-on whose project publishes a manifest with each release. Machines fetch it. With
 * `replicas`, `images`, `resources`, `extraArgs` or `tolerations`, this package's own objects replace it.
 */
export interface PinnedAddOn extends ReplicatedAddOnPods {
  /** The release, for example `v0.8.1`. Default: one that supports the Kubernetes minor. */
  readonly version?: string;
  /**
   * URLs of another manifest, as in `AddOnManifest`. Exclusive with all others. Default:
   * upstream's.
   */
  readonly manifestUrls?: readonly string[];
}

/** URLs whose content changes with each new release. */
const MOVING =
  /^https:\/\/(raw\.githubusercontent\.com\/[^/]+\/[^/]+\/(refs\/heads\/|(main|master|HEAD)\/)|github\.com\/[^/]+\/[^/]+\/(releases\/latest|raw\/(main|master|HEAD))\/)/;

/** Whether no manifest of the user's describes an add-on. */
export function isOwn({ manifest, manifestUrls }: AddOnManifest): boolean {
  return manifest === undefined && manifestUrls === undefined;
}

/** Whether a setting of an add-on's pods is changed. */
export function hasChangedPods(addOn: ReplicatedAddOnPods): boolean {
  const { replicas, images, resources, extraArgs, tolerations } = addOn;
  return [replicas, images, resources, extraArgs, tolerations].some(
    (choice) => choice !== undefined,
  );
}

/** All problems of a manifest of the user's. */
export function checkManifest({ manifestUrls, manifest }: AddOnManifest): PropertyProblem[] {
  if (manifest !== undefined && manifestUrls !== undefined) {
    const reason = "it excludes manifestUrls: leave out one or the other";
    return [{ property: "manifest", reason }];
  }
  if (manifestUrls?.length === 0) {
    const reason = "no URL is given: name one, or leave this out";
    return [{ property: "manifestUrls", reason }];
  }
  return (manifestUrls ?? []).flatMap((url, index) => {
    const reason = urlProblem(url);
    return reason === undefined ? [] : [{ property: `manifestUrls[${index}]`, reason }];
  });
}

function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    return `${quoteUrl(url)} is no URL with https, as in "https://example.com/v1.2.3/manifest.yaml": what is fetched gets every right in the cluster`;
  }
  if (new URL(url).username !== "") {
    return `${quoteUrl(url)} has credentials in it, which every machine would keep in clear: publish the manifest where it needs none`;
  }
  return MOVING.test(url)
    ? `${quoteUrl(url)} leads to whatever is newest when a machine fetches it: name a version`
    : undefined;
}
