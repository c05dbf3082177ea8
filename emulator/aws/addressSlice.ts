import { createServer, type Server } from "node:net";

/** The first slice to try. 127.0 to 127.63 are left to other programs on the loopback. */
const FIRST_SLICE = 64;
const LAST_SLICE = 254;

/** Below the ephemeral ports, so that no outgoing connection occupies it by chance. */
const CLAIM_PORT = 27127;

/** The number of addresses that the command for systems without a loopback range adds, per kind. */
const ADDRESSES_TO_ADD = { instances: 12, private: 12, loadBalancers: 6 };

/**
 * The third byte of a slice's addresses, by their purpose. Each network has at least 254 addresses.
 */
const NETWORKS = {
  claim: 0,
  instances: 1,
  private: 65,
  elastic: 128,
  loadBalancers: 200,
  machines: 224,
} as const;

/** The emulator can't get its own loopback addresses. The message says what to do. */
export class AddressSliceError extends Error {
  override readonly name = "AddressSliceError";
}

/** A sixteen-bit range of the loopback, `127.N.0.0/16`, held by this process alone until released. */
export interface AddressSlice {
  /** N of `127.N.0.0/16`. */
  readonly number: number;
  /** First three numbers of the public addresses of instances, such as `127.64.1`. */
  readonly instanceNetwork: string;
  /** First three numbers of Elastic IP addresses. */
  readonly elasticNetwork: string;
  /**
   * A /19 range for a VPC whose private addresses this computer can reach. Machines without a public
   * address listen at their private address there.
   */
  readonly vpcRange: string;
  /** A new address for an instance without a public one. */
  nextPrivateInstanceAddress(): string;
  /** A new address for a load balancer. */
  nextLoadBalancerAddress(): string;
  release(): Promise<void>;
}

/**
 * Claims the first slice that no other process on this computer holds. A listening socket in the slice is
 * the claim, so it ends with its process.
 *
 * @throws AddressSliceError when the system has only 127.0.0.1 (macOS), naming the command that
 *   adds the addresses, or when every slice is taken.
 */
export async function claimAddressSlice(): Promise<AddressSlice> {
  for (let number = FIRST_SLICE; number <= LAST_SLICE; number++) {
    const claim = await listen(address(number, NETWORKS.claim, 1), CLAIM_PORT);
    if (claim === "taken") {
      continue;
    }
    if (claim === "missing") {
      throw new AddressSliceError(missingAddresses(number));
    }
    const slice = sliceHeldBy(claim, number);
    for (const network of [NETWORKS.instances, NETWORKS.private, NETWORKS.loadBalancers]) {
      const probe = await listen(address(number, network, 1), 0);
      if (probe === "missing") {
        await slice.release();
        throw new AddressSliceError(missingAddresses(number));
      }
      if (probe !== "taken") {
        await close(probe);
      }
    }
    return slice;
  }
  throw new AddressSliceError(
    `every loopback slice from 127.${FIRST_SLICE}.0.0/16 to 127.${LAST_SLICE}.0.0/16 is held by ` +
      "another emulator on this machine: stop one of them",
  );
}

/** The command that adds a slice's addresses to a system with a single loopback address. */
export function addAddressesCommand(number: number): string {
  const range = (network: number, count: number) => `127.${number}.${network}.{1..${count}}`;
  const addresses = [
    `127.${number}.${NETWORKS.claim}.1`,
    range(NETWORKS.instances, ADDRESSES_TO_ADD.instances),
    range(NETWORKS.private, ADDRESSES_TO_ADD.private),
    range(NETWORKS.loadBalancers, ADDRESSES_TO_ADD.loadBalancers),
  ];
  return `for address in ${addresses.join(" ")}; do sudo ifconfig lo0 alias "$address"; done`;
}

function missingAddresses(number: number): string {
  return (
    `this system has no loopback address 127.${number}.0.1, and every emulated machine needs one of ` +
    `its own; add them (until the next restart) with:\n\n  ${addAddressesCommand(number)}\n`
  );
}

function sliceHeldBy(claim: Server, number: number): AddressSlice {
  const sequence = (network: number) => {
    let given = 0;
    return () => {
      const host = given % 254;
      const offset = Math.floor(given / 254);
      given++;
      return address(number, network + offset, host + 1);
    };
  };
  return {
    number,
    instanceNetwork: `127.${number}.${NETWORKS.instances}`,
    elasticNetwork: `127.${number}.${NETWORKS.elastic}`,
    vpcRange: `127.${number}.${NETWORKS.machines}.0/19`,
    nextPrivateInstanceAddress: sequence(NETWORKS.private),
    nextLoadBalancerAddress: sequence(NETWORKS.loadBalancers),
    release: () => close(claim),
  };
}

function address(slice: number, network: number, host: number): string {
  return `127.${slice}.${network}.${host}`;
}

function listen(host: string, port: number): Promise<Server | "taken" | "missing"> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        resolve("taken");
      } else if (error.code === "EADDRNOTAVAIL") {
        resolve("missing");
      } else {
        reject(error);
      }
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
