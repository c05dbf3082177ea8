import { stripVTControlCharacters } from "node:util";
import {
  type ClusterStatus,
  judgeStatus,
  type MachineStatus,
} from "../../../cli/status/clusterStatus";
import { describeStoppedRoll } from "../../../cli/status/describeStoppedRoll";
import { renderStatus } from "../../../cli/status/renderStatus";

const machine: MachineStatus = {
  name: "c-control-plane-1",
  role: "controlplane",
  zone: "us-east-1a",
  instanceId: "i-0123456789abcdef0",
  address: "192.0.2.1",
  stage: "running",
  talosVersion: "v1.12.1",
  etcd: { role: "leader", alarms: [] },
  kubelet: "healthy",
  node: { name: "ip-10-0-0-4", isReady: true, kubeletVersion: "v1.35.0" },
  problems: [],
};
const away: MachineStatus = {
  ...machine,
  name: "c-control-plane-2",
  stage: undefined,
  talosVersion: undefined,
  etcd: undefined,
  kubelet: undefined,
  node: undefined,
  problems: ["it doesn't answer: no route"],
};
const status: ClusterStatus = {
  stack: "c",
  at: "2026-11-21T00:00:00.000Z",
  machines: [machine],
  certificates: [
    { name: "talosconfig", notAfter: "2027-11-21T00:00:00.000Z" },
    { name: "kubeconfig", notAfter: "2026-11-22T12:00:00.000Z" },
    { name: "API server", notAfter: "2026-11-20T00:00:00.000Z" },
  ],
  problems: [],
  notes: [],
};
const wide = { color: false, width: undefined };

describe("renderStatus", () => {
  it("shows each machine in a row, and the remaining lifetime of certificates", () => {
    expect(renderStatus(status, wide)).toBe(
      `MACHINE            ROLE           ZONE        INSTANCE             ADDRESS    STAGE    TALOS    ETCD    KUBELET  NODE
c-control-plane-1  control plane  us-east-1a  i-0123456789abcdef0  192.0.2.1  running  v1.12.1  leader  healthy  Ready

talosconfig certificate: 2027-11-21, 365 days left
kubeconfig certificate: 2026-11-22, 1 day left
API server certificate: 2026-11-20, expired

c is healthy.
`,
    );
  });

  it("shows a machine that doesn't answer, and why", () => {
    const text = renderStatus({ ...status, machines: [machine, away] }, wide);
    expect(text).toMatch(/^c-control-plane-2 .* no answer {2}- {8}- {7}- {8}-$/m);
    expect(text).toContain("! c-control-plane-2: it doesn't answer: no route\n");
    expect(text).not.toContain("is healthy");
  });

  it("reports an unfinished upgrade, and nothing else", () => {
    const upgraded: MachineStatus = {
      ...machine,
      name: "c-control-plane-3",
      talosVersion: "v1.13.0",
      node: { name: "ip-10-0-0-6", isReady: true, kubeletVersion: "v1.36.0" },
    };
    const notes = describeStoppedRoll([upgraded, machine, away]);
    expect(notes).toEqual([
      'machines run different Talos releases: v1.12.1 on c-control-plane-1; v1.13.0 on c-control-plane-3. "pulumi up" continues an upgrade',
      'machines run different kubelet releases: v1.35.0 on c-control-plane-1; v1.36.0 on c-control-plane-3. "pulumi up" continues an upgrade',
    ]);
    expect(describeStoppedRoll([machine, machine, away])).toEqual([]);
    const text = renderStatus({ ...status, notes }, wide);
    expect(text).toContain("- machines run different Talos releases");
    expect(text).toContain("c is healthy.");
  });

  it("reports a node that an interrupted change left cordoned", () => {
    const cordoned: MachineStatus = {
      ...machine,
      node: {
        name: "ip-10-0-0-4",
        isReady: true,
        kubeletVersion: "v1.35.0",
        isCordoned: true,
        cordonedFor: "change",
      },
    };
    const notes = describeStoppedRoll([cordoned]);
    expect(notes).toEqual([
      'the node ip-10-0-0-4 of c-control-plane-1 is cordoned for a change of the machine. If none is in progress, run "kubectl uncordon ip-10-0-0-4"',
    ]);
    const text = renderStatus({ ...status, machines: [cordoned], notes }, wide);
    expect(text).toMatch(/Ready, cordoned$/m);
  });

  it("drops columns, then truncates, on a narrow terminal, also with colours", () => {
    for (const width of [20, 40, 60, 80, 100]) {
      const text = renderStatus(status, { color: true, width });
      const [head = "", row = ""] = stripVTControlCharacters(text).split("\n");
      expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(width);
      expect(text).toContain("\u001b[");
    }
    const narrow = renderStatus(status, { color: false, width: 60 });
    expect(narrow).toMatch(/^MACHINE +STAGE +ETCD +KUBELET +NODE$/m);
  });
});

describe("judgeStatus", () => {
  it("distinguishes healthy, unhealthy and unknown", () => {
    expect(judgeStatus(status)).toBe("healthy");
    expect(judgeStatus({ ...status, machines: [machine, away] })).toBe("unhealthy");
    expect(judgeStatus({ ...status, problems: ["x"] })).toBe("unhealthy");
    expect(judgeStatus({ ...status, machines: [away] })).toBe("unknown");
  });
});
