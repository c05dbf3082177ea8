import type { AddOn } from "../common/addOn";
import { isOwn } from "../common/addOnManifest";
import { checkFlux } from "./checkFlux";
import type { FluxAddOn } from "./fluxAddOn";
import { fluxObjects } from "./fluxObjects";

/** Flux: the controllers from its project, and what they follow from this package. */
export const flux: AddOn<FluxAddOn> = {
  manifestName: "flux",
  charts: ["flux2"],
  removal:
    "nothing of the repository's content is deleted: it runs on in the cluster, and nobody updates it. What is to go must leave the repository first. Flux and its keys go; its namespace and definitions stay",
  // fluxcd/flux2, notes of v2.9.0; the others: fluxcd.control-plane.io/releases, "Supported Kubernetes
  // Versions" of v2.10, v2.8, v2.7 and v2.5.
  releases: [
    { oldestMinor: 35, version: "v2.10.0" },
    { oldestMinor: 34, version: "v2.9.5" },
    { oldestMinor: 30, version: "v2.8.8" },
    { oldestMinor: 29, version: "v2.7.5" },
    { oldestMinor: 27, version: "v2.5.1" },
  ],
  publishedManifest: (version) =>
    `https://github.com/fluxcd/flux2/releases/download/${version}/install.yaml`,
  // Some hundred kilobytes, if the user gives them.
  delivery: "afterBootstrap",
  objectsAfterBootstrap: fluxObjects,
  moreImages: (addOn) => (isOwn(addOn) ? ["ghcr.io/fluxcd/source-controller"] : []),
  check: checkFlux,
};
