import { EC2Client, StopInstancesCommand } from "@aws-sdk/client-ec2";
import { talosImages } from "../../../../emulator/aws/amis";
import { ec2, REGION, startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const ami = talosImages().find(({ name }) => name === `talos-v1.12.1-${REGION}-amd64`)?.ami_id;

describe("an instance that is stopped, on the emulated cloud", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });

  afterAll(() => world.close());

  it("is read as the provider does: without a public address, and with its other ones", async () => {
    const { substitute } = world;
    const network = await world.make(ec2("Vpc"), { cidrBlock: "10.0.0.0/16" });
    const subnet = await world.make(ec2("Subnet"), {
      vpcId: network.id,
      cidrBlock: "10.0.0.0/24",
      // Not every zone has every type of machine.
      availabilityZone: `${REGION}a`,
    });
    const made = await world.make(ec2("Instance"), {
      ami: ami ?? "",
      instanceType: "m6i.large",
      subnetId: subnet.id,
      associatePublicIpAddress: true,
      tags: { Name: "c-apps-1" },
    });
    expect(made.state.publicIp).toMatch(/^127\./);
    const client = new EC2Client(world.clientSettings);
    await client.send(new StopInstancesCommand({ InstanceIds: [made.id] }));
    client.destroy();
    const stopped = await substitute.read(ec2("Instance"), made.id, made);
    const { privateIp, privateDns } = made.state;
    expect(stopped?.state).toMatchObject({
      instanceState: "stopped",
      publicIp: "",
      publicDns: "",
      privateIp,
      privateDns,
      // It replaces the machine of a program that doesn't ignore it.
      associatePublicIpAddress: false,
    });
    const args = { instanceId: made.id };
    expect(await substitute.invoke("aws:ec2/getInstance:getInstance", args)).toMatchObject({
      instanceState: "stopped",
      publicIp: "",
      privateIp,
      tags: { Name: "c-apps-1" },
    });
    await expect(
      substitute.invoke("aws:ec2/getInstance:getInstance", { instanceId: "i-0123456789abcdef0" }),
    ).rejects.toThrow('there is no instance "i-0123456789abcdef0"');
  });
});
