import { styleText } from "node:util";
import { type ClusterStatus, judgeStatus, type MachineStatus } from "./clusterStatus";
import { type Cell, type Column, renderTable } from "./table";

/** Certificates that end sooner are highlighted. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/** On a narrow terminal, columns are left out from the highest `spare` on. */
const COLUMNS: readonly Column[] = [
  { title: "MACHINE" },
  { title: "ROLE", spare: 2 },
  { title: "ZONE", spare: 4 },
  { title: "INSTANCE", spare: 6 },
  { title: "ADDRESS", spare: 5 },
  { title: "STAGE" },
  { title: "TALOS", spare: 3 },
  { title: "ETCD" },
  { title: "KUBELET", spare: 1 },
  { title: "NODE" },
];

export function renderStatus(
  status: ClusterStatus,
  terminal: { readonly color: boolean; readonly width: number | undefined },
): string {
  const { machines, certificates, problems, at } = status;
  const paint = (style: "red" | "yellow" | "green" | "bold", text: string) =>
    terminal.color ? styleText(style, text, { validateStream: false }) : text;
  const all = [
    ...machines.flatMap(({ name, problems: own }) => own.map((problem) => `${name}: ${problem}`)),
    ...problems,
  ];
  const lines = [
    ...renderTable(COLUMNS, machines.map(cells), terminal),
    "",
    ...certificates.map(({ name, notAfter }) => {
      const days = Math.floor((Date.parse(notAfter) - Date.parse(at)) / DAY_MS);
      const text = `${name} certificate: ${notAfter.slice(0, 10)}, ${describeDays(days)}`;
      return days < 0 ? paint("red", text) : days < SOON_DAYS ? paint("yellow", text) : text;
    }),
    "",
    ...all.map((problem) => paint("red", `! ${problem}`)),
    ...status.notes.map((note) => paint("yellow", `- ${note}`)),
    ...{
      healthy: [paint("green", `${status.stack} is healthy.`)],
      unhealthy: [],
      unknown: [paint("red", `No machine of ${status.stack} answers.`)],
    }[judgeStatus(status)],
  ];
  return `${lines.filter((line, index) => line !== "" || lines[index - 1] !== "").join("\n")}\n`;
}

function describeDays(days: number): string {
  return days < 0 ? "expired" : days === 1 ? "1 day left" : `${days} days left`;
}

function cells(machine: MachineStatus): readonly Cell[] {
  const { stage, etcd, kubelet, node } = machine;
  const none: Cell = { text: "-", style: "dim" };
  const text = (value: string | undefined) =>
    value === undefined || value === "" ? none : { text: value };
  const judged = (value: string, isHealthy: boolean): Cell => ({
    text: value,
    style: isHealthy ? "green" : "red",
  });
  const alarms = etcd?.alarms ?? [];
  return [
    { text: machine.name },
    { text: machine.role === "worker" ? "worker" : "control plane" },
    text(machine.zone),
    text(machine.instanceId),
    text(machine.address),
    stage === undefined
      ? judged(describeSilence(machine.ec2State), false)
      : judged(stage, stage === "running"),
    text(machine.talosVersion),
    etcd === undefined
      ? stage !== undefined && machine.role === "controlplane"
        ? judged("down", false)
        : none
      : judged([etcd.role, ...alarms].join(" "), alarms.length === 0),
    kubelet === undefined ? none : judged(kubelet, kubelet === "healthy"),
    node === undefined
      ? none
      : judged(
          `${node.isReady ? "Ready" : "NotReady"}${node.isCordoned === true ? ", cordoned" : ""}`,
          node.isReady,
        ),
  ];
}

/** The state in EC2 of a machine that is off. */
function describeSilence(state: string | undefined): string {
  return state === undefined || state === "running" ? "no answer" : state;
}
