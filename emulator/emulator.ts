import { lookup } from "node:dns/promises";
import path from "node:path";
import { EC2Client } from "@aws-sdk/client-ec2";
import { ElasticLoadBalancingV2Client } from "@aws-sdk/client-elastic-load-balancing-v2";
import { Route53Client } from "@aws-sdk/client-route-53";
import { messageOfError } from "../provider/base";
import { type AddressSlice, claimAddressSlice } from "./aws/addressSlice";
import { readIssuerDocument } from "./aws/issuerDocument";
import { type MotoServer, startMotoServer, type TargetHealthEntry } from "./aws/motoServer";
import { ensureMoto } from "./aws/pythonEnvironment";
import { type DnsServer, startDnsServer } from "./dnsServer";
import { type EmulatedNode, Instances } from "./instances";
import { LoadBalancers } from "./loadBalancers";
import { commandMachines } from "./machines/commandMachines";
import { dockerMachines, type DockerMachinesOptions } from "./machines/docker/dockerMachines";
import type { MachineDriver } from "./machines/machineDriver";
import { SimulatedMachines } from "./machines/simulatedMachines";
import { startNameProxy } from "./nameProxy";
import { resolveName } from "./nameResolver";
import { type Noticed, noticedBy } from "./noticedBy";
import { compiledFile } from "./packageRoot";
import type { FaultTarget } from "./talos/faults/faultKind";
import { Faults } from "./talos/faults/faults";
import { defaultNodeTimings, type NodeTimings } from "./talos/talosNode";
import { type DiscoveryIdentity, TalosWorld } from "./talos/talosWorld";

export type { EmulatedNode } from "./instances";

/** Where machines ask for names. */
const DNS_PORT = 53;

/**
 * Who runs the machines: a program, with its first arguments, as the emulator's README.md says, or Docker with the real
 * Talos.
 */
export type MachinesChoice = readonly string[] | { readonly docker: DockerMachinesOptions };

/** How the emulated cloud is started. */
export interface EmulatorOptions {
  /** Region that `environment` names; every region is served. Default: `us-east-1`. */
  readonly region?: string;
  /** How long machines take to boot, to reboot, to join and so on. Default: about a second each. */
  readonly timings?: Partial<NodeTimings>;
  /** Who runs the machines. Default: they are simulated. */
  readonly machines?: MachinesChoice;
  /** Folder for the installation of moto, which is kept. Default: `.cache` in the package's folder. */
  readonly cacheDir?: string;
  /** Called with one line about each event. Default: nothing is logged. */
  readonly onLog?: (line: string) => void;
  /** Called when the emulated AWS ends unexpectedly; the emulator is unusable then. Default: `onLog`. */
  readonly onUnexpectedEnd?: (reason: string) => void;
}

/** An emulated AWS with Talos machines on the loopback. It runs until it is stopped. */
export interface Emulator {
  /** The URL of every AWS service. */
  readonly url: string;
  readonly region: string;
  /** Variables for SDKs, the AWS CLI and Pulumi's AWS plugin: endpoint, credentials, region. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder with the substitute `pulumi-resource-aws`, for PATH where the real plugin is missing. */
  readonly pluginDir: string;
  /**
   * A /19 range of the loopback for a VPC. Machines in such a VPC can be reached by their private
   * addresses, as from inside the VPC.
   */
  readonly vpcRange: string;
  /**
   * Environment variables that make programs reach the emulated cloud's names: Node.js by its DNS,
   * kubectl and other programs in Go by a proxy for HTTPS.
   */
  readonly nameEnvironment: Readonly<Record<string, string>>;
  /** Resolves a name with the emulated cloud's DNS. Empty for an unknown name. */
  resolve(hostname: string): Promise<string[]>;
  /** The private addresses that the discovery service gives whoever has this id and secret. */
  discovered(identity: DiscoveryIdentity): readonly string[];
  /** Every Talos machine that is switched on. */
  nodes(): EmulatedNode[];
  /** Injects faults into machines and lifts them: `await emulator.faults.inject({ kind, machine })`. */
  readonly faults: Faults;
  /** What was wrong with calls that AWS' models of its services forbid, and that were refused. */
  violations(): readonly string[];
  /** Stops every machine, load balancer and process. Only caches remain on disk. */
  stop(): Promise<void>;
}

/**
 * Starts the emulated cloud. Several can run side by side, each with its own addresses and ports.
 *
 * @throws AddressSliceError when the loopback has no address but 127.0.0.1. It is checked first.
 * @throws PythonMissingError when no suitable Python is found to run the emulated AWS.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const slice = await claimAddressSlice();
  let chosen: MachineDriver | undefined;
  try {
    chosen = await chosenMachines(options);
    return await startIn(slice, chosen, options);
  } catch (error) {
    await chosen?.close();
    await slice.release();
    throw error;
  }
}

/** Undefined for simulated machines, which need the cloud itself. */
async function chosenMachines({
  machines,
  onLog = () => undefined,
}: EmulatorOptions): Promise<MachineDriver | undefined> {
  if (machines === undefined) {
    return undefined;
  }
  return "docker" in machines
    ? dockerMachines(machines.docker, onLog)
    : commandMachines(machines, onLog);
}

async function startIn(
  slice: AddressSlice,
  chosen: MachineDriver | undefined,
  options: EmulatorOptions,
): Promise<Emulator> {
  const log = options.onLog ?? (() => undefined);
  const region = options.region ?? "us-east-1";
  const given = { ...defaultNodeTimings, ...options.timings };
  // With 0, the emulator would wait for each boot, and a boot may wait for another machine.
  const timings = { ...given, bootMs: Math.max(1, given.bootMs) };
  const { python } = await ensureMoto({
    ...(options.cacheDir !== undefined && { cacheDir: options.cacheDir }),
    onLog: log,
  });
  const regions = new Map<string, Region>();
  const violations: string[] = [];
  const moto: MotoServer = await startMotoServer({
    python,
    instanceNetwork: slice.instanceNetwork,
    elasticNetwork: slice.elasticNetwork,
    // A machine is ready by then, with some margin.
    warmUpMs: timings.bootMs + timings.joinMs + 500,
    onChange: (change) => regionOf(change.region ?? region).changed(noticedBy(change.action)),
    onViolation: (text) => violations.push(text),
    consoleOf: (instanceId, isLive) =>
      [...regions.values()]
        .map((each) => each.consoleOf(instanceId, isLive))
        .find((output) => output !== undefined) ?? Promise.resolve(Buffer.alloc(0)),
    onUnexpectedEnd: options.onUnexpectedEnd ?? log,
    onLog: log,
  });
  const dns = {
    client: new Route53Client(clientSettings(moto, region)),
    addressOfAwsName: (name: string) =>
      [...regions.values()]
        .map((each) => each.addressOfDnsName(name))
        .find((address) => address !== undefined),
  };
  const world = new TalosWorld(
    (name) => resolveName(name, dns),
    (url) => readIssuerDocument(moto.url, url),
  );
  const driver: MachineDriver = chosen ?? new SimulatedMachines({ timings, world, onLog: log });
  const health: Record<string, Record<string, TargetHealthEntry>> = {};
  const regionOf = (name: string): Region => {
    const known = regions.get(name);
    if (known !== undefined) {
      return known;
    }
    const made = new Region(name, {
      moto,
      slice,
      driver,
      onMachines: () => serveMachines(),
      onHealth: (groupArn, targets) => {
        health[groupArn] = targets;
        moto.reportTargetHealth(health);
      },
      onLog: log,
    });
    regions.set(name, made);
    return made;
  };
  regionOf(region);
  let machinesDns: Promise<DnsServer> | undefined;
  const lookUp = (hostname: string) => resolveName(hostname, dns);
  const lookUpAnywhere = async (hostname: string) => {
    const own = await lookUp(hostname);
    return own.length > 0 ? own : namesOfComputer(hostname);
  };
  // The network of machines, and this computer's address in it, may not be there before the first one.
  const serveMachines = () => {
    if (driver.hostAddress !== undefined) {
      const answer = driver.reachesInternet === true ? lookUpAnywhere : lookUp;
      machinesDns ??= startDnsServer(answer, { host: driver.hostAddress, port: DNS_PORT });
      machinesDns.catch((error: unknown) => {
        machinesDns = undefined;
        log(`DNS for machines: ${messageOfError(error)}`);
      });
    }
  };
  const resolve = async (hostname: string): Promise<string[]> => {
    await Promise.all([...regions.values()].map((each) => each.settled()));
    return lookUp(hostname);
  };
  const dnsServer = await startDnsServer(resolve);
  const nameProxy = await startNameProxy(resolve);
  let stopped: Promise<void> | undefined;
  const faultTargets = () => [...regions.values()].flatMap((each) => each.faultTargets());
  const faults = new Faults(faultTargets, () => {
    const failed = faultTargets().map(({ id, faults }) => [id, faults.failedChecks] as const);
    moto.reportFailedChecks(Object.fromEntries(failed));
  });
  const stop = async (): Promise<void> => {
    await faults.liftAll();
    await Promise.all([
      dnsServer.close(),
      machinesDns?.then(({ close }) => close()),
      nameProxy.close(),
    ]);
    await Promise.all([...regions.values()].map((each) => each.stop()));
    await driver.close();
    dns.client.destroy();
    await moto.stop();
    await slice.release();
  };
  return {
    url: moto.url,
    region,
    environment: {
      AWS_ENDPOINT_URL: moto.url,
      AWS_ACCESS_KEY_ID: "emulator",
      AWS_SECRET_ACCESS_KEY: "emulator",
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_EC2_METADATA_DISABLED: "true",
      // The real AWS plugin reads tags of buckets at a name that only the proxy knows.
      HTTP_PROXY: nameProxy.url,
    },
    pluginDir: path.join(__dirname, "aws", "plugin", "bin"),
    vpcRange: slice.vpcRange,
    nameEnvironment: {
      EMULATOR_DNS: dnsServer.address,
      // In capitals only: grpc-js reads the other spelling, and reaches machines by their addresses.
      HTTPS_PROXY: nameProxy.url,
      NODE_OPTIONS: `--require ${JSON.stringify(compiledFile("useCloudNames.js"))}`,
    },
    resolve,
    discovered: (identity) => world.peersOf(identity).map(({ privateAddress }) => privateAddress),
    nodes: () => [...regions.values()].flatMap((each) => each.nodes()),
    faults,
    violations: () => violations,
    stop: () => (stopped ??= stop()),
  };
}

/** The addresses of a name as other programs of this computer find them. */
async function namesOfComputer(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true, family: 4 })).map(({ address }) => address);
}

interface RegionOptions {
  readonly moto: MotoServer;
  readonly slice: AddressSlice;
  readonly driver: MachineDriver;
  /** Called when a machine was switched on or off. */
  readonly onMachines: () => void;
  readonly onHealth: (groupArn: string, health: Record<string, TargetHealthEntry>) => void;
  readonly onLog: (line: string) => void;
}

/** The machines and load balancers of one region. */
class Region {
  private readonly ec2: EC2Client;
  private readonly loadBalancing: ElasticLoadBalancingV2Client;
  private readonly instances: Instances;
  private readonly loadBalancers: LoadBalancers;

  constructor(name: string, options: RegionOptions) {
    const { moto, slice, driver, onMachines, onHealth, onLog } = options;
    this.ec2 = new EC2Client(clientSettings(moto, name));
    this.loadBalancing = new ElasticLoadBalancingV2Client(clientSettings(moto, name));
    this.instances = new Instances({
      region: name,
      client: this.ec2,
      driver,
      nextPrivateAddress: () => slice.nextPrivateInstanceAddress(),
      onMoved: () => {
        onMachines();
        this.loadBalancers.changed();
      },
      onLog,
    });
    this.loadBalancers = new LoadBalancers({
      client: this.loadBalancing,
      nextAddress: () => driver.hostAddress ?? slice.nextLoadBalancerAddress(),
      addressOf: (target) => this.instances.addressOf(target),
      onHealth,
      onLog,
    });
  }

  changed({ machines, loadBalancers }: Noticed): void {
    if (machines) {
      this.instances.changed();
    }
    if (loadBalancers) {
      this.loadBalancers.changed();
    }
  }

  async settled(): Promise<void> {
    await this.instances.settled();
    await this.loadBalancers.settled();
  }

  nodes(): EmulatedNode[] {
    return this.instances.nodes();
  }

  faultTargets(): FaultTarget[] {
    return this.instances.faultTargets();
  }

  consoleOf(instanceId: string, isLive: boolean): Promise<Buffer> | undefined {
    return this.instances.consoleOf(instanceId, isLive);
  }

  addressOfDnsName(name: string): string | undefined {
    return this.loadBalancers.addressOfDnsName(name) ?? this.instances.addressOfDnsName(name);
  }

  async stop(): Promise<void> {
    await this.loadBalancers.stop();
    await this.instances.stop();
    this.ec2.destroy();
    this.loadBalancing.destroy();
  }
}

function clientSettings(moto: MotoServer, region: string) {
  return {
    region,
    endpoint: moto.url,
    credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
  };
}
