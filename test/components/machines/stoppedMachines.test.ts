import * as pulumi from "@pulumi/pulumi";
import { StoppedMachines } from "../../../components/machines/stoppedMachines";
import { build, type Calls } from "../mockedGraph";

/** What EC2 has: ids by state, and their names. */
type Instances = Readonly<Record<string, { readonly state: string; readonly name: string }>>;

const inEc2 = (instances: Instances, asked: unknown[] = []): Calls => ({
  "aws:ec2/getInstances:getInstances": ({ filters, instanceStateNames }) => {
    asked.push(filters);
    const states = instanceStateNames as string[];
    const [first] = filters as { name: string; values: string[] }[];
    const isAsked = (id: string) => first?.name !== "instance-id" || first.values.includes(id);
    const ids = Object.keys(instances).filter(
      (id) => isAsked(id) && states.includes(instances[id]?.state ?? ""),
    );
    return { ids, privateIps: [] };
  },
  "aws:ec2/getInstance:getInstance": ({ instanceId }) => ({
    tags: { Name: instances[String(instanceId)]?.name },
  }),
});

const together = { clusterName: "c", securityGroupId: "sg-1" };

/** Refuses a step that needs all of some machines, by what EC2 has. */
async function refusal(
  instances: Instances,
  known: Readonly<Record<string, string>>,
  isPreview = false,
): Promise<string> {
  const asked: unknown[] = [];
  const { value } = await build(
    async () => {
      const owner = new pulumi.ComponentResource("test:index:Owner", "owner");
      const machines = new StoppedMachines("c", owner, together);
      Object.entries(known).forEach(([name, instanceId]) => machines.add({ name, instanceId }));
      // Their ids become known.
      await new Promise(setImmediate);
      return machines.refuseStopped().then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
    },
    { calls: inEc2(instances, asked), preview: isPreview },
  );
  expect(asked[0]).toEqual([
    { name: "instance.group-id", values: ["sg-1"] },
    { name: "tag:kubernetes.io/cluster/c", values: ["owned"] },
  ]);
  return value;
}

describe("a step that needs every machine of a control plane", () => {
  const running = { state: "running", name: "c-1" };

  it("goes on while they run", async () => {
    expect(await refusal({ "i-1": running }, { "c-1": "i-1" })).toBe("");
  });

  it("is refused for a stopped one, also if the program hasn't come to it yet", async () => {
    const stopping = { state: "stopping", name: "c-2" };
    const stopped = { state: "stopped", name: "c-3" };
    expect(
      await refusal({ "i-1": running, "i-2": stopping, "i-3": stopped }, { "c-1": "i-1" }),
    ).toBe(
      'c-2 (i-2) is stopping and c-3 (i-3) is stopped in EC2, and this step needs them. Once they are stopped, start them with "aws ec2 start-instances --instance-ids i-2 i-3", then run the command again with --refresh. For empty machines in their place, run "aws ec2 terminate-instances --instance-ids i-2 i-3" before that instead.',
    );
  });

  it("goes on if another machine has taken the place of the stopped one", async () => {
    const former = { state: "stopped", name: "c-1" };
    expect(await refusal({ "i-1": running, "i-0": former }, { "c-1": "i-1" })).toBe("");
  });

  it("is refused for a lost one, except in a preview, which may be on another account", async () => {
    expect(await refusal({}, { "c-1": "i-1" })).toBe(
      "AWS no longer has c-1 (i-1), which this step needs. Run the command again with --refresh: that makes another machine in its place",
    );
    expect(await refusal({}, { "c-1": "i-1" }, true)).toBe("");
  });
});
