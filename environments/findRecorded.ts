import { architectureOf } from "../components/machines/instanceType";
import { DEFAULT_INSTANCE_TYPE } from "../components/machines/machineSettings";
import type { KnownClusterArgs } from "./settings";

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
 * The result of `findAdopted`, from the state of the stack: for previews without an account.
 * Unrecorded values get an id of zeros, for example the image of a release that no machine has run
 * yet. An adopted network isn't checked.
 *
 * @param name the cluster's
 */
export function findRecorded(
  cluster: KnownClusterArgs,
  name: string,
  recorded: readonly RecordedResource[],
): KnownClusterArgs {
  const { controlPlane, dns, talosVersion, workerPools } = cluster;
  const find = (kind: string, resourceName: string) =>
    recorded.find(
      ({ type, urn }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${resourceName}`),
    );
  const imageOf = (machines: string, instanceType: string, image: string) => {
    const before = find("MachineConfiguration", machines)?.inputs?.talosVersion;
    const made = find("LaunchTemplate", machines) ?? find("Instance", `${machines}-1`);
    const type = made?.inputs?.instanceType;
    const isSame =
      before === talosVersion &&
      typeof type === "string" &&
      architectureOf(type) === architectureOf(instanceType);
    const imageId = isSame ? find("MachineImage", image)?.outputs?.imageId : undefined;
    return textOr(imageId, NOT_LOOKED_UP.imageId);
  };
  const pools = Object.entries(workerPools).map(([pool, args]) => {
    const { instanceType = DEFAULT_INSTANCE_TYPE } = args;
    const machines = `${name}-${pool}`;
    const imageId = args.imageId ?? imageOf(machines, instanceType, `${machines}-image`);
    return [pool, { ...args, imageId }] as const;
  });
  const zone = find("DnsRecord", `${name}-dns`)?.outputs?.zoneId;
  const asksForZone = dns.createZone !== true && dns.privateZone !== true;
  return {
    ...cluster,
    controlPlane: {
      ...controlPlane,
      imageId:
        controlPlane.imageId ??
        imageOf(`${name}-control-plane`, controlPlane.instanceType, `${name}-image`),
    },
    workerPools: Object.fromEntries(pools),
    dns: {
      ...dns,
      ...(asksForZone && { zoneId: dns.zoneId ?? textOr(zone, NOT_LOOKED_UP.zoneId) }),
    },
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
