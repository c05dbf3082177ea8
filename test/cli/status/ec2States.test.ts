import type { ClusterStatus, MachineStatus } from "../../../cli/status/clusterStatus";
import { silentInstances, withEc2States } from "../../../cli/status/ec2States";
import { renderStatus } from "../../../cli/status/renderStatus";

const silent = (name: string, instanceId: string | undefined): MachineStatus => ({
  name,
  role: "worker",
  zone: "us-east-1a",
  instanceId,
  address: "192.0.2.1",
  stage: undefined,
  talosVersion: undefined,
  etcd: undefined,
  kubelet: undefined,
  node: undefined,
  problems: ["it doesn't answer: no route"],
});
const status: ClusterStatus = {
  stack: "prod",
  at: "2026-11-21T00:00:00.000Z",
  certificates: [],
  problems: [],
  notes: [],
  machines: [
    { ...silent("a", "i-a"), stage: "running", problems: [] },
    silent("b", "i-b"),
    silent("c", "i-c"),
    silent("d", "i-d"),
    silent("e", "i-e"),
    silent("f", undefined),
  ],
};

describe("the states in EC2 of machines that don't answer", () => {
  it("are asked of those alone, if EC2 knows them", () => {
    expect(silentInstances(status)).toEqual(["i-b", "i-c", "i-d", "i-e"]);
  });

  it("say what each of them is, and what to do", () => {
    const seen = withEc2States(
      status,
      new Map([
        ["i-a", "stopped"],
        ["i-b", "stopped"],
        ["i-c", "terminated"],
        ["i-d", "running"],
      ]),
    );
    const text = renderStatus(seen, { color: false, width: undefined });
    expect(text).toMatch(/^b .* stopped /m);
    expect(text).toMatch(/^c .* terminated /m);
    expect(text).toMatch(/^d .* no answer /m);
    expect(text).toContain(
      '! b: it is stopped in EC2: start it with "aws ec2 start-instances --instance-ids i-b"; "talos-aws up prod" then follows its new address\n',
    );
    expect(text).toContain(
      '! c: AWS no longer has it: "talos-aws up prod" makes another machine in its place\n',
    );
    expect(text).toContain(
      '! d: EC2 says that it is running: "aws ec2 describe-instance-status --instance-ids i-d" says whether its host or its system is impaired\n',
    );
    expect(seen.machines[0]).toBe(status.machines[0]);
    expect(seen.machines.slice(4)).toEqual(status.machines.slice(4));
  });
});
