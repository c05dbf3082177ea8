import { architectureOf, DEFAULT_INSTANCE_TYPE } from "../../components/machines";
import type { PlainClusterArgs } from "../../environments/settingsSchema";

/** A resource of a stack's state, as `pulumi stack export` writes it. */
export interface RecordedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** Placeholders for an image and a zone that only the account knows. */
const NOT_LOOKED_UP = { imageId: "ami-00000000000000000", zoneId: "Z00000000000000000000" };

/**
 * A cluster's arguments with the ids that only the account knows, from the state of the stack: its images
 * and its hosted zone. Unrecorded ones get an id of zeros, for example the image of a release that no
 * machine has run yet.
 *
 * @param name the cluster's
 */
export function findRecorded(
  cluster: PlainClusterArgs,
  name: string,
  recorded: readonly RecordedResource[],
): PlainClusterArgs {
  const { controlPlane = {}, dns = {}, talosVersion, workerPools = {} } = cluster;
  const find = (kind: string, resourceName: string) =>
    recorded.find(
      ({ type, urn }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${resourceName}`),
    );
  const withImage = <Given extends Bootable>(key: string, image: string, given: Given): Given => {
    // An image that is given by its id isn't looked up.
    const { imageOwner, imageName, ...others } = given;
    const { instanceType = DEFAULT_INSTANCE_TYPE } = given;
    const before = find("MachineConfiguration", key)?.inputs?.talosVersion;
    const made = find("LaunchTemplate", key) ?? find("Instance", `${key}-1`);
    const type = made?.inputs?.instanceType;
    const isSame =
      before === talosVersion &&
      typeof type === "string" &&
      architectureOf(type) === architectureOf(instanceType);
    const imageId = isSame ? find("MachineImage", image)?.outputs?.imageId : undefined;
    return { imageId: textOr(imageId, NOT_LOOKED_UP.imageId), ...others } as Given;
  };
  const pools = Object.entries(workerPools).map(
    ([pool, args]) => [pool, withImage(`${name}-${pool}`, `${name}-${pool}-image`, args)] as const,
  );
  const zone = find("DnsRecord", `${name}-dns`)?.outputs?.zoneId;
  const asksForZone = dns.createZone !== true && dns.privateZone !== true;
  return {
    ...cluster,
    controlPlane: withImage(`${name}-control-plane`, `${name}-image`, controlPlane),
    workerPools: Object.fromEntries(pools),
    dns: {
      ...dns,
      ...(asksForZone && { zoneId: dns.zoneId ?? textOr(zone, NOT_LOOKED_UP.zoneId) }),
    },
  };
}

/** The arguments that select a machine's image. */
interface Bootable {
  readonly instanceType?: string;
  readonly imageId?: string;
  readonly imageOwner?: string;
  readonly imageName?: string;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
