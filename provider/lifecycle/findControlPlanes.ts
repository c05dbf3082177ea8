import { isIPv6 } from "node:net";
import { parseEndpoint } from "../api/endpoint";
import type { CallOptions } from "../api/talosClient";
import { talosResources } from "../api/talosResources";
import { discoveredPeers, peerAddresses } from "./etcd/etcdPeers";
import { type Machine, withMachine } from "./machine";
import { unlessSilent } from "./silence";

/** A machine that is off must not delay the others for long. */
const LOOK_TIMEOUT_MS = 5_000;

/** The link of addresses that only the platform knows. Source: Talos v1.12.1, `platform_config_apply.go`. */
const EXTERNAL_LINK = "external";

/** The addresses of a control plane machine. */
export interface ControlPlanePlace {
  /** Its address inside the network, at which the others know it. */
  readonly inside: string;
  /** Its addresses from outside, such as EC2's public one. Empty if it has none, or is silent. */
  readonly outside: readonly string[];
}

/**
 * The control plane machines to ask about a machine's node. The machine itself comes last, because
 * its own API server may be what is broken. The machine names the others, as members of its etcd,
 * or as machines that it has discovered if etcd doesn't answer. So no program has to know them,
 * which would make the first machine of a cluster wait for all others.
 *
 * @returns only the machine itself while it names no other
 */
export async function findControlPlanes(machine: Machine): Promise<readonly Machine[]> {
  return machinesToAsk(machine, await findPlaces(machine));
}

/**
 * The machines of these places as they are dialled from here, the one in question last. Its
 * endpoint shows how machines are reached: by their addresses inside, by those outside, or through
 * a load balancer. A load balancer itself leads to a healthy API server. Pure.
 */
export function machinesToAsk(
  machine: Machine,
  places: readonly ControlPlanePlace[],
): readonly Machine[] {
  const { node, privateAddress = node, endpoint, credentials } = machine;
  const { host } = parseEndpoint(endpoint);
  const isFromOutside = places.some(({ outside }) => outside.includes(host));
  const isFromInside = places.some(({ inside }) => inside === host);
  const isOwn = ({ inside, outside }: ControlPlanePlace) =>
    [inside, ...outside].some((each) => each === node || each === privateAddress);
  const reached = ({ inside, outside }: ControlPlanePlace): Machine => {
    if (!isFromOutside && !isFromInside) {
      return { node: inside, endpoint, credentials };
    }
    const fromOutside = outside.find((each) => isIPv6(each) === isIPv6(host));
    const address = isFromOutside ? (fromOutside ?? inside) : inside;
    return { node: address, endpoint: address, privateAddress: inside, credentials };
  };
  const own = places.find(isOwn);
  return [
    ...places.filter((place) => !isOwn(place)).map(reached),
    own === undefined ? machine : reached(own),
  ];
}

/** Where the members of etcd are, or else the machines that it has discovered. */
async function findPlaces(machine: Machine): Promise<readonly ControlPlanePlace[]> {
  const call = { timeoutMs: LOOK_TIMEOUT_MS };
  const inside = await withMachine(machine, async (client) => {
    const members = await unlessSilent(client.etcdMembers(call));
    return (
      members?.flatMap((member) => peerAddresses(member).slice(0, 1)) ??
      discoveredPeers(client, call)
    );
  });
  return Promise.all(inside.map((address) => findPlace({ ...machine, node: address }, call)));
}

/** Its addresses from outside are asked of it, through the endpoint. */
async function findPlace(machine: Machine, call: CallOptions): Promise<ControlPlanePlace> {
  const statuses = await unlessSilent(
    withMachine(machine, (client) => client.listTyped(talosResources.addressStatus, call)),
  );
  const external = (statuses ?? []).filter(({ spec }) => spec.linkName === EXTERNAL_LINK);
  return {
    inside: machine.node,
    outside: external.map(({ spec }) => spec.address.replace(/\/\d+$/, "")),
  };
}
