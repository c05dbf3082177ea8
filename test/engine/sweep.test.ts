import {
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeSecurityGroupsCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
} from "@aws-sdk/client-ec2";
import {
  DescribeLoadBalancersCommand as DescribeClassicCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import * as aws from "@pulumi/aws";
import { describeKept, describeMade } from "../../cli/sweep/describeSweep";
import { lookForMade } from "../../cli/sweep/lookForMade";
import type { Sweep } from "../../cli/sweep/planSweep";
import { sweepStack } from "../../cli/sweep/sweepStack";
import { talosImages } from "../../emulator/aws/amis";
import { allEnd, killEngines, type Process } from "../../scripts/killEngines";
import { type AwsWorld, REGION, startAwsWorld } from "./support/awsWorld";
import {
  type ControllersAccount,
  type ControllersPlace,
  launchMachine,
  makeClassicService,
  makeIngress,
  makeVolume,
} from "./support/controllersWork";
import { lifeSteps } from "./support/lifeSteps";

const ZONE = `${REGION}a`;
const ami = talosImages().find(({ name }) => name.endsWith(`v1.12.1-${REGION}-amd64`))?.ami_id;
const owned = { "kubernetes.io/cluster/prod": "owned" };

/** A network with a machine in it, and a load balancer that has all the marks of a controller's. */
function program() {
  const vpc = new aws.ec2.Vpc("network", { cidrBlock: "10.0.0.0/16", tags: owned });
  const subnet = new aws.ec2.Subnet("subnet", {
    vpcId: vpc.id,
    cidrBlock: "10.0.0.0/24",
    availabilityZone: ZONE,
    tags: owned,
  });
  const group = new aws.ec2.SecurityGroup("machines", {
    vpcId: vpc.id,
    description: "machines",
    tags: owned,
  });
  const machine = new aws.ec2.Instance("machine", {
    ami: ami ?? "",
    instanceType: "m6i.large",
    subnetId: subnet.id,
    vpcSecurityGroupIds: [group.id],
    tags: owned,
  });
  new aws.lb.LoadBalancer("own", {
    loadBalancerType: "network",
    internal: true,
    subnets: [subnet.id],
    tags: { ...owned, "kubernetes.io/service-name": "default/own" },
  });
  return Promise.resolve({
    vpcId: vpc.id,
    subnetId: subnet.id,
    machineGroupId: group.id,
    machineId: machine.id,
  });
}

// One cluster's end: each step goes on where the one before it ended.
describe("resources of controllers in a cluster, by the real engine", () => {
  const step = lifeSteps();
  let world: AwsWorld;
  let account: ControllersAccount;
  let place: ControllersPlace;
  let volumes: readonly string[];
  let launched: string;
  let found: readonly Sweep[];

  beforeAll(async () => {
    world = await startAwsWorld("sweep", program);
    const settings = {
      region: REGION,
      endpoint: world.url,
      credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
    };
    account = {
      ec2: world.ec2,
      classicBalancing: new ElasticLoadBalancingClient(settings),
      loadBalancing: new ElasticLoadBalancingV2Client(settings),
    };
  });

  afterAll(async () => {
    account.classicBalancing.destroy();
    account.loadBalancing.destroy();
    await world.close();
  });

  const look = async () => lookForMade(world.stack, await world.stack.exportStack());
  const otherPlace = async (): Promise<ControllersPlace> => {
    const { Vpc } = await world.ec2.send(new CreateVpcCommand({ CidrBlock: "10.1.0.0/16" }));
    const vpcId = Vpc?.VpcId ?? "";
    const { Subnet } = await world.ec2.send(
      new CreateSubnetCommand({ VpcId: vpcId, CidrBlock: "10.1.0.0/24" }),
    );
    const { GroupId = "" } = await world.ec2.send(
      new CreateSecurityGroupCommand({ VpcId: vpcId, GroupName: "others", Description: "others" }),
    );
    const subnetIds = [Subnet?.SubnetId ?? ""];
    return { cluster: "staging", vpcId, subnetIds, machineGroupId: GroupId };
  };
  const namesOf = (things: readonly { readonly thing: { readonly name: string } }[]) =>
    things.map(({ thing }) => thing.name);

  step("are found by their marks, and others' are not", async () => {
    const { outputs } = await world.stack.up();
    const text = (name: string) => String(outputs[name]?.value);
    place = {
      cluster: "prod",
      vpcId: text("vpcId"),
      subnetIds: [text("subnetId")],
      machineGroupId: text("machineGroupId"),
    };
    await makeClassicService(account, place, "a1b2c3");
    await makeIngress(account, place, "k8s-shop-front");
    volumes = [
      await makeVolume(account, ZONE, "held", { machineId: text("machineId") }),
      await makeVolume(account, ZONE, "named", { cluster: "prod", withSnapshot: true }),
      await makeVolume(account, ZONE, "other", { cluster: "staging", withSnapshot: true }),
      await makeVolume(account, ZONE, "nobodys"),
    ];
    await makeIngress(account, await otherPlace(), "k8s-of-others");
    launched = await launchMachine(account, place, ami ?? "");
    found = await look();
    expect(found.flatMap(({ made }) => namesOf(made))).toEqual([
      launched,
      "a1b2c3",
      "k8s-shop-front",
      "k8s-shop-front-tg",
      "k8s-elb-a1b2c3",
      "k8s-shop-front",
    ]);
    const data = found.flatMap((each) => namesOf(each.data));
    expect(data).toEqual([...volumes.slice(0, 2).sort(), expect.stringMatching(/^snap-/)]);
    expect(found.flatMap(({ kept }) => namesOf(kept))).toEqual([volumes[3]]);
  });

  step("are listed with their cost and what they block", () => {
    const look = { color: false, width: undefined };
    const made = found.flatMap((each) => [...each.made, ...each.data]);
    const text = describeMade(made, look).replaceAll(/(vol|snap|i)-[0-9a-f]+/g, "$1-…");
    const [cloud, balancers, driver] = [
      "by the AWS cloud controller",
      "by the AWS load balancer controller",
      "by the EBS CSI driver",
    ];
    const lines = text.split("\n").map((line) => line.trim().split(/ {2,}/).join(" | "));
    // Volumes come in the order of their ids.
    expect([...lines.slice(0, 7), ...lines.slice(7).sort().reverse()]).toEqual([
      "WHAT | NAME | CREATED FOR | WHILE IT EXISTS",
      "machine | i-… | node pool, by Karpenter | costs by its type, blocks the network",
      `load balancer | a1b2c3 | service default/web, ${cloud} | costs about $18.26 a month in us-east-1, blocks the network`,
      `load balancer | k8s-shop-front | ingress shop/front, ${balancers} | costs about $16.44 a month in us-east-1, blocks the network`,
      `target group | k8s-shop-front-tg | ingress shop/front, ${balancers} | costs nothing`,
      `security group | k8s-elb-a1b2c3 | service default/web, ${cloud} | blocks the network`,
      `security group | k8s-shop-front | ingress shop/front, ${balancers} | blocks the network`,
      `volume | vol-… | claim default/named, ${driver} | costs about $1.60 a month in us-east-1`,
      `volume | vol-… | claim default/held, ${driver} | costs about $1.60 a month in us-east-1`,
      `snapshot | snap-… | snapcontent-named, ${driver} | costs by its size`,
    ]);
    expect(
      describeKept(
        found.flatMap(({ kept }) => kept),
        look,
      ),
    ).toContain("no tag names its cluster");
  });

  step("are deleted after the machines, also if a run was killed in between", async () => {
    const exported = await world.stack.exportStack();
    const steps: string[] = [];
    let plugins: readonly Process[] | undefined;
    const options = {
      onlyMachines: false,
      withData: true,
      color: "never",
      onStep: (line: string) => steps.push(line),
    } as const;
    const killed = sweepStack(world.stack, exported, found, {
      ...options,
      onOutput: (text) => {
        if (plugins === undefined && /LoadBalancer.*delet/.test(text) && steps.length === 2) {
          ({ plugins } = killEngines());
        }
      },
    });
    await expect(killed).rejects.toThrow();
    expect(plugins).toBeDefined();
    await allEnd(plugins ?? []);
    const left = await look();
    expect(left.flatMap(({ made }) => made).length).toBeGreaterThan(0);
    // The machine that held it is gone, and it is known all the same.
    expect(left.flatMap(({ data }) => namesOf(data))).toContain(volumes[0]);
    await sweepStack(world.stack, await world.stack.exportStack(), left, {
      ...options,
      onOutput: () => undefined,
    });
  });

  step("are deleted without other resources", async () => {
    await world.stack.destroy();
    const { loadBalancing, classicBalancing, ec2 } = account;
    const classic = await classicBalancing.send(new DescribeClassicCommand({}));
    const balancers = await loadBalancing.send(new DescribeLoadBalancersCommand({}));
    const targets = await loadBalancing.send(new DescribeTargetGroupsCommand({}));
    expect(classic.LoadBalancerDescriptions).toEqual([]);
    expect(balancers.LoadBalancers?.map((each) => each.LoadBalancerName)).toEqual([
      "k8s-of-others",
    ]);
    expect(targets.TargetGroups?.map((each) => each.TargetGroupName)).toEqual(["k8s-of-others-tg"]);
    const groups = await ec2.send(new DescribeSecurityGroupsCommand({}));
    const made = groups.SecurityGroups?.filter(({ GroupName = "" }) =>
      GroupName.startsWith("k8s-"),
    );
    expect(made?.map(({ GroupName }) => GroupName)).toEqual(["k8s-of-others"]);
    const left = await ec2.send(new DescribeVolumesCommand({}));
    expect(left.Volumes?.map(({ VolumeId }) => VolumeId).sort()).toEqual(volumes.slice(2).sort());
    // moto has snapshots of images, too.
    const Filters = [{ Name: "tag-key", Values: ["ebs.csi.aws.com/cluster"] }];
    const snapshots = await ec2.send(new DescribeSnapshotsCommand({ Filters }));
    expect(snapshots.Snapshots?.map(({ VolumeId }) => VolumeId)).toEqual([volumes[2]]);
  });
});
