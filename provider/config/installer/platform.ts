import { notAllowed } from "../suggestion";

/**
 * Platforms of Talos, by their names in installers. After an upgrade with another platform's
 * installer, a machine looks for its configuration, network and name in the wrong place at boot.
 *
 * Source: pkg/machinery/platforms of Talos v1.10.6 to v1.13.9, except `equinixMetal`: names of
 * images have no capitals, so there is no installer of that name.
 */
export const PLATFORMS = [
  "metal",
  "aws",
  "gcp",
  "azure",
  "digital-ocean",
  "nocloud",
  "openstack",
  "vmware",
  "akamai",
  "cloudstack",
  "hcloud",
  "oracle",
  "upcloud",
  "vultr",
  "exoscale",
  "opennebula",
  "scaleway",
] as const;

/** A machine's platform; `metal` is your own hardware. */
export type Platform = (typeof PLATFORMS)[number];

/** Common other names of platforms. */
const otherNames: Readonly<Record<string, Platform>> = {
  amazon: "aws",
  ec2: "aws",
  baremetal: "metal",
  "bare-metal": "metal",
  google: "gcp",
  "google-cloud": "gcp",
  do: "digital-ocean",
  hetzner: "hcloud",
  linode: "akamai",
  proxmox: "nocloud",
  vsphere: "vmware",
};

/** The problem of a platform's name; undefined if it is valid. */
export function checkPlatform(platform: string): string | undefined {
  const allowed: readonly string[] = PLATFORMS;
  if (allowed.includes(platform)) {
    return undefined;
  }
  const quoted = JSON.stringify(platform);
  const name = platform.toLowerCase();
  const known = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return known === undefined
    ? notAllowed(quoted, platform, allowed)
    : `${quoted} is not allowed: Talos calls it "${known}"`;
}
