import { connect } from "node:tls";
import {
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
  GetConsoleOutputCommand,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { type Emulator, startEmulator } from "../../emulator";
import { talosImages } from "../../emulator/aws/amis";
import { OWNER_LABEL } from "../../emulator/machines/docker/dockerOwner";
import { eventually } from "../emulator/support/eventually";
import { askDocker, describeWithDocker } from "./support/dockerEngine";

/** Releases before and after `/etc` became machined's own. */
const RELEASES = ["v1.12.1", "v1.14.1"];
/** Not the local environment's: it may run beside. */
const RANGE = "10.213.0.0/16";
/** An owner that no process of Linux can be. */
const GONE = "4194305 never";
const APID_PORT = 50_000;
/** A busy computer boots a container in that time. */
const BOOT_MS = 300_000;

// What they do in unusual surroundings: test/emulator/machines/docker.test.ts.
for (const talos of RELEASES) {
  const image = `ghcr.io/siderolabs/talos:${talos}`;
  describeWithDocker(`machines in Docker with Talos ${talos}`, image, () => machines(talos, image));
}

function machines(talos: string, image: string): void {
  const log: string[] = [];
  let emulator: Emulator;
  let ec2: EC2Client;
  let instanceId = "";

  beforeAll(async () => {
    // What an emulator that was killed has left.
    const abandoned = ["--label", `${OWNER_LABEL}=${GONE}`];
    askDocker("network", "create", ...abandoned, "--subnet", RANGE, "talos-aws-abandoned");
    askDocker("create", "--name", "talos-aws-abandoned", ...abandoned, image);
    emulator = await startEmulator({
      machines: { docker: { range: RANGE } },
      onLog: (line) => log.push(line),
    });
    ec2 = new EC2Client({
      region: emulator.region,
      endpoint: emulator.url,
      credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
    });
  });

  afterAll(async () => {
    ec2.destroy();
    await emulator.stop();
    expect(objectsOf("ps", "--all")).toEqual([]);
    expect(objectsOf("network", "ls")).toEqual([]);
  });

  const becomes = (stage: string) =>
    eventually(() => {
      const nodes = emulator.nodes().map((node) => node.stage);
      expect(nodes, log.join("\n")).toEqual([stage]);
    }, BOOT_MS);

  it("begin without what a killed emulator has left", () => {
    expect(objectsOf("ps", "--all")).toEqual([]);
    expect(objectsOf("network", "ls")).toHaveLength(1);
  });

  it("boot into maintenance mode, with the name and address of their instance", async () => {
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: RANGE }));
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: Vpc?.VpcId,
        CidrBlock: "10.213.1.0/24",
        // Moto chooses any zone, and one of them has no such machines.
        AvailabilityZone: `${emulator.region}a`,
      }),
    );
    const { Instances: [instance] = [] } = await ec2.send(
      new RunInstancesCommand({
        ImageId: talosImages().find(({ name }) => name === `talos-${talos}-us-east-1-amd64`)
          ?.ami_id,
        SubnetId: Subnet?.SubnetId,
        InstanceType: "t3.medium",
        MinCount: 1,
        MaxCount: 1,
      }),
    );
    instanceId = instance?.InstanceId ?? "";
    await becomes("maintenance");
    const [node] = emulator.nodes();
    // At the instance's address on the loopback, which is forwarded to the container.
    await eventually(async () => {
      const names = await namesAt(node?.address ?? "");
      expect(names).toContain(`DNS:${node?.hostname ?? ""}`);
      expect(names).toContain(`IP Address:${node?.privateAddress ?? ""}`);
    });
  });

  it("print on their console by what EC2 proves their certificate", async () => {
    const { Output = "" } = await ec2.send(
      new GetConsoleOutputCommand({ InstanceId: instanceId, Latest: true }),
    );
    const shown = Buffer.from(Output, "base64").toString();
    expect(shown).toMatch(/^\[talos\] server certificate issued .*"fingerprint": "/m);
  });

  it("tell when their container ends", async () => {
    const container = askDocker("ps", "--quiet", "--filter", `name=${instanceId}`);
    askDocker("kill", container);
    await becomes("stopped");
    expect(log).toContainEqual(
      `${instanceId}: its container ended by itself, with exit code 137: see \`docker logs talos-aws-${instanceId}\``,
    );
    askDocker("start", container);
    await becomes("maintenance");
  });

  it("keep their disk while their instance is stopped", async () => {
    const disks = () => askDocker("volume", "ls", "--quiet");
    const before = disks();
    await ec2.send(new StopInstancesCommand({ InstanceIds: [instanceId] }));
    await eventually(() => {
      expect(askDocker("ps", "--quiet", "--filter", `name=${instanceId}`)).toBe("");
    });
    await ec2.send(new StartInstancesCommand({ InstanceIds: [instanceId] }));
    await becomes("maintenance");
    expect(disks()).toBe(before);
  });

  it("go with their disk when their instance is terminated", async () => {
    const disks = () => askDocker("volume", "ls", "--quiet").split("\n");
    const before = disks().length;
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] }));
    await eventually(() => {
      expect(objectsOf("ps", "--all")).toEqual([]);
      expect(disks().length).toBeLessThan(before);
    });
  });
}

/** The containers or networks of this process' emulator, and of the one that is gone. */
function objectsOf(...list: readonly string[]): string[] {
  const format = `{{.Label "${OWNER_LABEL}"}}`;
  const owners = askDocker(...list, "--filter", `label=${OWNER_LABEL}`, "--format", format);
  return owners
    .split("\n")
    .filter((owner) => owner === GONE || owner.startsWith(`${process.pid} `));
}

/** The names and addresses in the certificate of a Talos machine. */
function namesAt(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: APID_PORT, rejectUnauthorized: false });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const { subjectaltname = "" } = socket.getPeerCertificate();
      socket.destroy();
      resolve(subjectaltname);
    });
  });
}
