import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runInThisContext } from "node:vm";
import { ModuleKind, ScriptTarget, transpile } from "typescript";
import { faultCommands } from "../../emulator/faultCommands";
import { faultKinds } from "../../emulator/talos/faults/faultKinds";
import { documentedCommands, faultDocument as document, startFaultWorld } from "./faultWorld";

const undo: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) {
    await step();
  }
});

/** A machine that is on, what the commands say, and how they are run. */
async function world() {
  const started = await startFaultWorld();
  undo.push(() => started.stop());
  const { cluster, node, stateDir } = started;
  const said: string[] = [];
  const run = async (line: string) => {
    const { values, positionals } = parseArgs({
      args: line.split(" ").slice(1),
      allowPositionals: true,
      options: { for: { type: "string" } },
    });
    const [name, ...words] = positionals;
    const command = Object.entries(faultCommands((text) => said.push(text))).find(
      ([each]) => each === name,
    )?.[1];
    if (command === undefined) {
      throw new Error(`there is no command in ${line}`);
    }
    await command({ stateDir, words, forSeconds: values.for });
  };
  return { cluster, node, said, run };
}

describe("the commands for faults", () => {
  it("do what the documentation shows", async () => {
    const { cluster, node, said, run } = await world();
    const stages: string[] = [];
    for (const line of await documentedCommands()) {
      await run(line);
      stages.push(`${node.stage} ${cluster.faults.list().length}`);
    }
    expect(stages).toEqual([
      "maintenance 1",
      "stopped 2",
      "stopped 2",
      "stopped 1",
      "maintenance 0",
    ]);
    expect(said.join("\n")).toContain("fault-1 is in i-0123456789abcde1");
    expect(said.join("\n")).toMatch(/fault-1 +delay +i-0123456789abcde1 +latencyMs=300/);
  });

  it("report all problems of a request, and an unknown fault", async () => {
    const { run } = await world();
    await expect(run("emulator fault refus i-none latency=1 --for x")).rejects.toThrow(
      /there is no kind "refus", did you mean "refuse".*\n.*no machine "i-none".*\nforMs is null/s,
    );
    await expect(run("emulator lift fault-9")).rejects.toThrow('there is no fault "fault-9"');
  });
});

describe("docs/faults.md", () => {
  it("shows a working program", async () => {
    const { cluster } = await world();
    const text = await readFile(document, "utf8");
    const example = /```ts\n([^`]*)```/.exec(text)?.[1] ?? "";
    const seen: string[] = [];
    const faults = {
      inject: async (...args: Parameters<typeof cluster.faults.inject>) => {
        const fault = await cluster.faults.inject(...args);
        seen.push(
          ...cluster.faults.list().map(({ kind, machines }) => `${kind} ${machines.join(" ")}`),
        );
        return fault;
      },
    };
    const options = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS };
    const run = runInThisContext(transpile(`(async (emulator) => {\n${example}\n})`, options)) as (
      emulator: unknown,
    ) => Promise<void>;
    await run({ faults });
    expect(seen).toEqual(["drop i-0123456789abcde1"]);
    expect(cluster.faults.list()).toEqual([]);
  });

  it("has a row for each kind, in the table's words", async () => {
    const rows = (await readFile(document, "utf8"))
      .split("\n")
      .filter((each) => each.startsWith("| `"));
    const cells = rows.map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(cells).toEqual(
      Object.entries(faultKinds).map(([kind, { does, standsFor, parameters }]) => [
        `\`${kind}\``,
        does,
        standsFor,
        Object.entries(parameters)
          .map(([name, each]) => `\`${name}\` (${JSON.stringify(each.default)}): ${each.meaning}`)
          .join("; "),
      ]),
    );
  });
});
