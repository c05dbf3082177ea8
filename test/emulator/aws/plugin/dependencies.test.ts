import { talosImages } from "../../../../emulator/aws/amis";
import type { LiveResource } from "../../../../emulator/aws/plugin/substitute";
import { ec2, REGION, startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const LOAD_BALANCER = "aws:lb/loadBalancer:LoadBalancer";
const TARGET_GROUP = "aws:lb/targetGroup:TargetGroup";
const LISTENER = "aws:lb/listener:Listener";
const ami = talosImages().find(({ name }) => name.endsWith(`v1.12.1-${REGION}-amd64`))?.ami_id;

describe("dependencies on the emulated cloud", () => {
  let world: SubstituteWorld;
  let vpc: LiveResource;
  let subnet: LiveResource;
  let group: LiveResource;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    vpc = await world.make(ec2("Vpc"), { cidrBlock: "10.0.0.0/16" });
    const vpcId = vpc.id;
    subnet = await world.make(ec2("Subnet"), {
      vpcId,
      cidrBlock: "10.0.0.0/24",
      availabilityZone: `${REGION}a`,
    });
    group = await world.make(ec2("SecurityGroup"), { vpcId, description: "machines" });
  });

  afterAll(() => world.close());

  /** As a resource's own time limit has it; the provider's is 20 minutes. */
  const removeSoon = (kind: string, resource: LiveResource) =>
    world.substitute.delete(ec2(kind), resource.id, resource, { timeoutSeconds: 1 });

  it("keep a subnet, a group and a VPC while a machine exists", async () => {
    const machine = await world.make(ec2("Instance"), {
      ami: ami ?? "",
      instanceType: "m6i.large",
      subnetId: subnet.id,
      vpcSecurityGroupIds: [group.id],
      associatePublicIpAddress: true,
    });
    await expect(removeSoon("Subnet", subnet)).rejects.toMatchObject({
      name: "DependencyViolation",
      message: `The subnet '${subnet.id}' has dependencies and cannot be deleted.`,
    });
    await expect(removeSoon("SecurityGroup", group)).rejects.toMatchObject({
      name: "DependencyViolation",
      message: `resource ${group.id} has a dependent object`,
    });
    await expect(removeSoon("Vpc", vpc)).rejects.toMatchObject({ name: "DependencyViolation" });
    await world.remove(ec2("Instance"), machine);
  });

  it("keep access logs of a load balancer from a bucket that doesn't take them", async () => {
    const args = {
      loadBalancerType: "network",
      internal: true,
      subnets: [subnet.id],
      securityGroups: [group.id],
    };
    const bucket = await world.make("aws:s3/bucket:Bucket", { bucket: "access-logs" });
    const logging = { ...args, accessLogs: { bucket: "access-logs", enabled: true, prefix: "a" } };
    const plain = await world.make(LOAD_BALANCER, args);
    const off = { bucket: "", enabled: false };
    expect(plain.state).toMatchObject({ accessLogs: off });
    await expect(world.change(LOAD_BALANCER, plain, logging)).rejects.toMatchObject({
      message: "Access Denied for bucket: access-logs. Please check S3bucket permission",
    });
    const delivery = { Service: ["delivery.logs.amazonaws.com"] };
    const statement = { Effect: "Allow", Principal: delivery, Action: ["s3:PutObject"] };
    await world.make("aws:s3/bucketPolicy:BucketPolicy", {
      bucket: "access-logs",
      policy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [{ ...statement, Resource: "arn:aws:s3:::access-logs/*" }],
      }),
    });
    const logged = await world.change(LOAD_BALANCER, plain, logging);
    expect(logged.state).toMatchObject({ accessLogs: logging.accessLogs });
    const quiet = await world.change(LOAD_BALANCER, logged, { ...args, accessLogs: off });
    expect(quiet.state).toMatchObject({ accessLogs: off });
    await world.remove(LOAD_BALANCER, quiet);
    await world.remove("aws:s3/bucket:Bucket", bucket);
  });

  it("allow a target group only one load balancer", async () => {
    const balancer = () =>
      world.make(LOAD_BALANCER, {
        loadBalancerType: "network",
        internal: true,
        subnets: [subnet.id],
        securityGroups: [group.id],
      });
    const [old, next] = [await balancer(), await balancer()];
    const targets = await world.make(TARGET_GROUP, {
      vpcId: vpc.id,
      port: 6443,
      protocol: "TCP",
      targetType: "instance",
    });
    const listenerOf = (loadBalancer: LiveResource, port: number) =>
      world.make(LISTENER, {
        loadBalancerArn: loadBalancer.id,
        port,
        protocol: "TCP",
        defaultActions: [{ type: "forward", targetGroupArn: targets.id }],
      });
    const listener = await listenerOf(old, 6443);
    await expect(listenerOf(next, 6443)).rejects.toMatchObject({
      name: expect.stringMatching(/^TargetGroupAssociationLimit/) as string,
    });
    await world.remove(LISTENER, listener);
    const moved = await listenerOf(next, 6443);
    await expect(removeSoon("Subnet", subnet)).rejects.toMatchObject({
      name: "DependencyViolation",
    });
    await world.remove(LISTENER, moved);
    await world.remove(TARGET_GROUP, targets);
    await world.remove(LOAD_BALANCER, old);
    await world.remove(LOAD_BALANCER, next);
  });

  it("allow deletion when nothing uses them any more", async () => {
    await world.remove(ec2("Subnet"), subnet);
    await expect(removeSoon("Vpc", vpc)).rejects.toMatchObject({ name: "DependencyViolation" });
    await world.remove(ec2("SecurityGroup"), group);
    await world.remove(ec2("Vpc"), vpc);
  });
});
