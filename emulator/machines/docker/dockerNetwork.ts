import { createSocket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { messageOfError } from "../../../provider/base";
import { isWithin, networksOverlap, parseNetwork } from "../../../provider/config";
import { OWNER_LABEL } from "./dockerOwner";
import { DockerError, runDocker } from "./runDocker";

const DNS_PORT = 53;

/** The network of an emulator's containers: a bridge of this computer. */
export interface DockerNetwork {
  readonly name: string;
  /** Its range, which is that of the cluster's VPC. */
  readonly range: string;
  /** This computer's address in it. AWS gives no machine the first address of a VPC. */
  readonly hostAddress: string;
}

/**
 * Makes a network of Docker, in which containers and this computer reach each other.
 *
 * @param range in CIDR notation: `10.0.0.0/16`
 * @param owner the mark of the process that removes it
 * @throws DockerError when the range is bad or in use, when this computer isn't in the network, or may not serve names there
 */
export async function makeNetwork(range: string, owner: string): Promise<DockerNetwork> {
  const hostAddress = firstAddress(range);
  await refuseOverlap(range);
  const name = `talos-aws-${process.pid}`;
  const labels = ["--label", `${OWNER_LABEL}=${owner}`];
  try {
    await runDocker([
      "network",
      "create",
      ...labels,
      "--subnet",
      range,
      "--gateway",
      hostAddress,
      name,
    ]);
  } catch (error) {
    throw /overlap/i.test(messageOfError(error))
      ? new DockerError(
          `the machines' range ${range} belongs to a network of Docker already: see \`docker network ls\`, or give the VPC another range`,
        )
      : error;
  }
  const network = { name, range, hostAddress };
  try {
    await requireDnsPort(hostAddress);
  } catch (error) {
    await removeNetwork(network);
    throw error;
  }
  return network;
}

/** Removes a network without containers. */
export async function removeNetwork({ name }: DockerNetwork): Promise<void> {
  await runDocker(["network", "rm", name]);
}

/** Whether an instance's address is one of the network's. */
export function hasAddress({ range }: DockerNetwork, address: string): boolean {
  return isWithin(`${address}/32`, range);
}

function firstAddress(range: string): string {
  try {
    const network = parseNetwork(range);
    if (range.includes("/") && isWithin(range, "0.0.0.0/0")) {
      return network.startAddressExclusive().correctForm();
    }
  } catch {
    // Said below.
  }
  throw new DockerError(
    `the machines' range "${range}" is no IPv4 range: it must be that of the cluster's VPC, for example "10.0.0.0/16"`,
  );
}

/** Addresses that this computer reaches elsewhere would not be reached any more. */
async function refuseOverlap(range: string): Promise<void> {
  const routes = parseRoutes(await readFile("/proc/net/route", "utf8").catch(() => ""));
  const taken = routes.find(({ destination }) => networksOverlap(destination, range));
  if (taken !== undefined) {
    throw new DockerError(
      `the machines' range ${range} overlaps with ${taken.destination}, which this computer reaches by its interface ${taken.name}: give the VPC another range`,
    );
  }
}

/**
 * Reads the routes of Linux, without the default one.
 *
 * @param table the text of `/proc/net/route`: numbers are hexadecimal, their bytes in the order of x86 and ARM
 */
export function parseRoutes(table: string): readonly { destination: string; name: string }[] {
  return table.split("\n").flatMap((line) => {
    const [name = "", destination = "", , , , , , mask = ""] = line.split(/\s+/);
    if (!/^[0-9A-F]{8}$/.test(destination) || !/^[0-9A-F]{8}$/.test(mask)) {
      return [];
    }
    const bits = Number.parseInt(mask, 16).toString(2).replaceAll("0", "").length;
    const address = Buffer.from(destination, "hex").reverse().join(".");
    return bits === 0 ? [] : [{ destination: `${address}/${bits}`, name }];
  });
}

/**
 * Machines ask for names at a port that only root may listen on by default. Containers of an engine elsewhere have
 * networks without an address of this computer.
 */
async function requireDnsPort(host: string): Promise<void> {
  const socket = createSocket("udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(DNS_PORT, host, resolve);
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new DockerError(
      code === "EADDRNOTAVAIL"
        ? `this computer isn't in the network of its containers: it has no address ${host}. Machines need Docker Engine on Linux, run by root: ` +
            "Docker Desktop runs containers in a virtual machine, and rootless Docker has a network of its own"
        : `the cloud can't serve names to machines at ${host}, port ${DNS_PORT}: ${messageOfError(error)}. ` +
            `As another user than root, allow it first: \`sudo sysctl net.ipv4.ip_unprivileged_port_start=${DNS_PORT}\``,
    );
  } finally {
    socket.close();
  }
}
