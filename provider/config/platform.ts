import { notAllowed } from "./notAllowed";

/**
 * What Talos can run on, by the names that stand in those of its installers. A machine that is upgraded
 * with the installer of another platform looks for its configuration, network and name in the wrong
 * place when it boots.
 *
 * Source: pkg/machinery/platforms of Talos v1.10.6 to v1.13.9, but for `equinixMetal`: no name of an
 * image has capitals, so there is no installer of that name.
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

/** What people call some of them. */
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

/** What is wrong with a word as a platform; undefined when nothing is. */
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
