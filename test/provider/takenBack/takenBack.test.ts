import { HANDLER_NAMES } from "../../../provider/engine/dynamicStub";
import { steppingIt } from "../steppingClock";
import { applyCells } from "./applyCells";
import { FAILURE_POINTS, type Table } from "./cells";
import { manifestCells } from "./manifestCells";
import { memberCells } from "./memberCells";
import { objectCells } from "./objectCells";
import { upgradeCells } from "./upgradeCells";

const computes = "it computes, and changes no machine";
const waits = "it only waits";

const table: Table = {
  ConfigurationApply: applyCells,
  KubernetesUpgrade: upgradeCells,
  KubernetesManifests: manifestCells,
  KubernetesObjects: objectCells,
  EtcdMember: memberCells,
  RotationGate:
    "it asks machines, and has Secrets encrypted with a key that the stage before accepts too",
  MachineBootstrap: "its update continues a restore, which no program asks for or takes back",
  MachineTurn: waits,
  ClusterHealth: waits,
  ClusterKubeconfig: "it reads from a machine",
  FirstContact: "it reads from a machine, and never changes",
  UserKubeconfig: computes,
  ClientConfiguration: computes,
  MachineConfiguration: computes,
  MachineSecrets: computes,
  RotatedAuthority: computes,
  RotatedSecret: computes,
  ImmutableArguments: computes,
};

// Each way back is an ordinary `up`, without a refresh, of the former program.
describe("an update that failed is taken back", () => {
  const points = HANDLER_NAMES.flatMap((kind) => {
    const cells = table[kind];
    return typeof cells === "string"
      ? [{ name: kind, cell: cells }]
      : FAILURE_POINTS.map((point) => ({ name: `${kind}, failed ${point}`, cell: cells[point] }));
  });

  it("has a test or a reason for each resource and failure point", () => {
    expect(points.filter(({ cell }) => cell === "").map(({ name }) => name)).toEqual([]);
  });

  for (const { name, cell } of points) {
    if (typeof cell !== "string") {
      steppingIt(name, cell);
    }
  }
});
