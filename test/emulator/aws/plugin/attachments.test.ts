import {
  AttachVolumeCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  EC2Client,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { talosImages } from "../../../../emulator/aws/amis";
import type { LiveResource } from "../../../../emulator/aws/plugin/substitute";
import type { Values } from "../../../../emulator/aws/plugin/value";
import {
  ec2 as ec2Type,
  REGION,
  startSubstituteWorld,
  type SubstituteWorld,
} from "./substituteWorld";

const VOLUME = "aws:ebs/volume:Volume";
const EIP = ec2Type("Eip");
const ASSOCIATION = ec2Type("EipAssociation");
const ATTACHMENT = ec2Type("VolumeAttachment");
const ami = talosImages().find(({ name }) => name.endsWith(`v1.12.1-${REGION}-amd64`))?.ami_id;

describe("addresses and volumes of machines on the emulated cloud", () => {
  let world: SubstituteWorld;
  let ec2: EC2Client;
  let subnetId: string;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    ec2 = new EC2Client(world.clientSettings);
    const vpc = await world.make(ec2Type("Vpc"), { cidrBlock: "10.0.0.0/16" });
    const subnet = await world.make(ec2Type("Subnet"), {
      vpcId: vpc.id,
      cidrBlock: "10.0.0.0/24",
      availabilityZone: `${REGION}a`,
    });
    subnetId = subnet.id;
  });

  afterAll(async () => {
    ec2.destroy();
    await world.close();
  });

  const machine = (more: Values = {}) =>
    world.make(ec2Type("Instance"), {
      ami: ami ?? "",
      instanceType: "m6i.large",
      subnetId,
      associatePublicIpAddress: true,
      ...more,
    });
  const addressOf = async ({ id }: LiveResource) => {
    const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    return Reservations?.[0]?.Instances?.[0]?.PublicIpAddress;
  };

  it("keep an elastic IP address while the machine is stopped", async () => {
    const instance = await machine();
    const own = await addressOf(instance);
    const address = await world.make(EIP, { domain: "vpc" });
    const association = await world.make(ASSOCIATION, {
      instanceId: instance.id,
      allocationId: address.id,
    });
    expect(association.state.publicIp).toBe(address.state.publicIp);
    expect(await addressOf(instance)).toBe(address.state.publicIp);
    const request = { InstanceIds: [instance.id] };
    await ec2.send(new StopInstancesCommand(request));
    await ec2.send(new StartInstancesCommand(request));
    expect(await addressOf(instance)).toBe(address.state.publicIp);
    // What it had before is for others now, and it gets another one when this one is taken away.
    const [next, other] = [await machine(), await machine()];
    expect(await addressOf(next)).not.toBe(own);
    expect(await addressOf(other)).toBe(own);
    await world.remove(ASSOCIATION, association);
    expect(await addressOf(instance)).not.toBe(address.state.publicIp);
    await world.remove(EIP, address);
    await world.remove(ec2Type("Instance"), next);
    await world.remove(ec2Type("Instance"), other);
    await world.remove(ec2Type("Instance"), instance);
  });

  it("free the address of a terminated machine", async () => {
    const [first, second] = [await machine(), await machine()];
    const address = await world.make(EIP, { domain: "vpc", instance: first.id });
    expect(await addressOf(first)).toBe(address.state.publicIp);
    const moved = await world.change(EIP, address, { domain: "vpc", instance: second.id });
    expect(await addressOf(second)).toBe(address.state.publicIp);
    expect(await addressOf(first)).not.toBe(address.state.publicIp);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [second.id] }));
    expect((await world.substitute.read(EIP, moved.id, moved))?.state.associationId).toBe("");
    await world.remove(EIP, moved);
    await world.remove(ec2Type("Instance"), first);
  });

  it("attach a volume, grow it, and detach it while the machine is stopped", async () => {
    const instance = await machine();
    const inputs = {
      availabilityZone: `${REGION}a`,
      size: 10,
      type: "gp3",
      encrypted: true,
      tags: { Name: "etcd" },
    };
    const disk = await world.make(VOLUME, inputs);
    const attachment = await world.make(ATTACHMENT, {
      deviceName: "/dev/sdf",
      instanceId: instance.id,
      volumeId: disk.id,
      stopInstanceBeforeDetaching: true,
    });
    const imported = await world.substitute.read(ATTACHMENT, `/dev/sdf:${disk.id}:${instance.id}`, {
      inputs: {},
      state: {},
    });
    expect(imported?.id).toBe(attachment.id);
    const larger = await world.change(VOLUME, disk, { ...inputs, size: 20 });
    expect(larger.state).toMatchObject({ size: 20, type: "gp3", encrypted: true });
    await world.remove(ATTACHMENT, attachment);
    const live = await world.substitute.read(ec2Type("Instance"), instance.id, instance);
    expect(live?.state.instanceState).toBe("stopped");
    await world.remove(VOLUME, larger);
    await world.remove(ec2Type("Instance"), instance);
  });

  it("keep a volume that is not deleted on termination", async () => {
    const instance = await machine();
    const disk = await world.make(VOLUME, { availabilityZone: `${REGION}a`, size: 10 });
    const attachment = await world.make(ATTACHMENT, {
      deviceName: "/dev/sdf",
      instanceId: instance.id,
      volumeId: disk.id,
      skipDestroy: true,
    });
    await world.substitute.delete(ATTACHMENT, attachment.id, attachment, {});
    expect(await world.substitute.read(ATTACHMENT, attachment.id, attachment)).toBeDefined();
    await world.remove(ec2Type("Instance"), instance);
    await world.remove(VOLUME, disk);
  });

  it("create a machine with its own volume, which is deleted with it", async () => {
    const own = {
      deviceName: "/dev/sdf",
      volumeType: "gp3",
      volumeSize: 40,
      iops: 4000,
      throughput: 200,
      encrypted: true,
      tags: { Name: "etcd" },
    };
    const rootBlockDevice = { volumeType: "gp3", volumeSize: 50, tags: { Name: "root" } };
    const instance = await machine({ rootBlockDevice, ebsBlockDevices: [own] });
    expect(instance.state.rootBlockDevice).toMatchObject(rootBlockDevice);
    expect(instance.state.ebsBlockDevices).toMatchObject([{ ...own, deleteOnTermination: true }]);
    const tagged = await world.change(ec2Type("Instance"), instance, {
      ...instance.inputs,
      ebsBlockDevices: [{ ...own, tags: { Name: "other" } }],
    });
    expect(tagged.state.ebsBlockDevices).toMatchObject([{ tags: { Name: "other" } }]);
    // What a storage driver attaches is told of too, and would go with the next update.
    const disk = await world.make(VOLUME, { availabilityZone: `${REGION}a`, size: 10 });
    await ec2.send(
      new AttachVolumeCommand({ InstanceId: instance.id, VolumeId: disk.id, Device: "/dev/sdg" }),
    );
    const refreshed = await world.substitute.read(ec2Type("Instance"), instance.id, tagged);
    expect(refreshed?.inputs.ebsBlockDevices).toMatchObject([
      { deviceName: "/dev/sdf", volumeSize: 40 },
      { deviceName: "/dev/sdg", volumeSize: 10 },
    ]);
    const volumes = () => ec2.send(new DescribeVolumesCommand({}));
    const before = (await volumes()).Volumes?.length ?? 0;
    await world.remove(ec2Type("Instance"), instance);
    expect((await volumes()).Volumes).toHaveLength(before - 2);
    await world.remove(VOLUME, disk);
  });

  it("change a machine's hostname type and protection in place", async () => {
    const before = {
      disableApiTermination: true,
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: true },
    };
    const instance = await machine(before);
    expect(instance.state).toMatchObject(before);
    await expect(
      world.substitute.delete(ec2Type("Instance"), instance.id, instance, {}),
    ).rejects.toThrow("may not be terminated");
    const after = {
      disableApiTermination: false,
      privateDnsNameOptions: { hostnameType: "resource-name", enableResourceNameDnsARecord: false },
      monitoring: true,
    };
    const changed = await world.change(ec2Type("Instance"), instance, {
      ...instance.inputs,
      ...after,
    });
    expect(changed.state).toMatchObject(after);
    await world.remove(ec2Type("Instance"), changed);
  });

  it("keep the CPU credits that a burstable machine is told, and change them in place", async () => {
    const credits = (cpuCredits: string) => ({ creditSpecification: { cpuCredits } });
    const instanceType = "t3.large";
    const told = await machine({ instanceType, ...credits("standard") });
    expect(told.state).toMatchObject(credits("standard"));
    const changed = await world.change(ec2Type("Instance"), told, {
      ...told.inputs,
      ...credits("unlimited"),
    });
    const { creditSpecification, ...rest } = changed.inputs;
    expect(creditSpecification).toEqual({ cpuCredits: "unlimited" });
    expect(world.substitute.diff(ec2Type("Instance"), changed, rest).changes).toEqual({});
    const steady = await machine();
    expect(steady.state.creditSpecification ?? null).toBeNull();
    await world.remove(ec2Type("Instance"), changed);
    await world.remove(ec2Type("Instance"), steady);
  });

  it("refuse a volume of another zone, a second attachment, and a device in use", async () => {
    const instance = await machine();
    const far = await world.make(VOLUME, { availabilityZone: `${REGION}b`, size: 10 });
    const near = await world.make(VOLUME, { availabilityZone: `${REGION}a`, size: 10 });
    const more = await world.make(VOLUME, { availabilityZone: `${REGION}a`, size: 10 });
    const attach = (volumeId: string, deviceName: string) =>
      world.make(ATTACHMENT, { instanceId: instance.id, volumeId, deviceName });
    await expect(attach(far.id, "/dev/sdf")).rejects.toThrow("not in the same availability zone");
    const attachment = await attach(near.id, "/dev/sdf");
    await expect(attach(near.id, "/dev/sdg")).rejects.toThrow("already attached");
    await expect(attach(more.id, "/dev/sdf")).rejects.toThrow("already in use");
    await world.remove(ATTACHMENT, attachment);
  });
});
