import type { DiagnosticEvent, EngineEvent, ResOpFailedEvent } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../../../cli/commandFailure";
import { EngineEvents, engineFailure } from "../../../cli/engine/engineFailure";

const secret = "a-key-of-the-cluster";
const machine =
  "urn:pulumi:local::talos-aws::talos-aws:index:TalosCluster$pulumi-nodejs:dynamic/talos:ConfigurationApply::local-control-plane-1";

function said(severity: string, message: string, urn?: string): EngineEvent {
  const diagnosticEvent: DiagnosticEvent = {
    // the SDK's types don't know of `debug`
    severity: severity as "info",
    message: `<{%reset%}>${message}<{%reset%}>\n`,
    color: "raw",
    ...(urn !== undefined && { urn }),
  };
  return { sequence: 0, timestamp: 0, diagnosticEvent };
}

/** As the SDK puts it together from an engine's output, recorded from pulumi 3.230.0. */
function commandError(command: string, written: string): Error {
  return new Error(
    `code: -2\n stdout: \n stderr: Command failed with exit code 1: ${command}\n${written}\n err?: Error: Command failed with exit code 1: ${command}\n${written}\n`,
  );
}

function operationFailed(): EngineEvent {
  return { sequence: 1, timestamp: 0, resOpFailedEvent: {} as ResOpFailedEvent };
}

describe("the events of an engine's run", () => {
  it("contain no debugging logs of an SDK, which have secrets in clear", () => {
    const events = new EngineEvents();
    const debug = said("debug", `RegisterResource RPC finished: ${secret}`);
    [debug, said("warning", "a warning")].forEach(events.add);
    expect(JSON.stringify(events.all)).not.toContain(secret);
    expect(events.all).toHaveLength(1);
  });
});

describe("the failure of an engine's operation", () => {
  it("is shown once, although the engine and the SDK print it many times", () => {
    const settings = `the settings in Pulumi.local.yaml can't be used:\n  - talosVersion: "v1.12" is no Talos release`;
    const output = `    error: ${settings}\n`.repeat(2);
    const failure = engineFailure(commandError("pulumi preview", output), [
      said("error", settings),
      said("error", settings),
      said("error", `One or more errors occurred: ${settings}`),
      said("error", "preview failed"),
    ]);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect(failure.message).toBe(settings);
  });

  it("names the resource, and what to do if others may have been changed", () => {
    const events = [
      said("error", "it restarted with its old system", machine),
      operationFailed(),
      said("error", "update failed"),
    ];
    expect(engineFailure(new Error("code: -2"), events).message).toBe(
      "local-control-plane-1 (ConfigurationApply): it restarted with its old system\n" +
        "Run the same command again: it continues from here.",
    );
  });

  it("names each of several resources", () => {
    const other = machine.replace("-1", "-2");
    const events = [said("error", "it is off", machine), said("error", "it is off", other)];
    expect(engineFailure(new Error("code: -2"), events).message.split("\n")).toEqual([
      "local-control-plane-1 (ConfigurationApply): it is off",
      "local-control-plane-2 (ConfigurationApply): it is off",
    ]);
  });

  it("is a consequence if the engine reports nothing else", () => {
    expect(engineFailure(new Error("code: -2"), [said("error", "update failed")]).message).toBe(
      "update failed",
    );
  });

  it.each([
    [
      "a wrong passphrase",
      "warning: using pulumi-language-nodejs from $PATH at /a/pulumi-language-nodejs\nerror: getting stack configuration: get stack secrets manager: incorrect passphrase\n",
      "getting stack configuration: get stack secrets manager: incorrect passphrase",
    ],
    [
      "a locked stack",
      "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n  file:///a/lock.json: created by root@vm (pid 9633) at 2026-11-23T23:57:59Z\n",
      "the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n  file:///a/lock.json: created by root@vm (pid 9633) at 2026-11-23T23:57:59Z",
    ],
    ["a crash", "panic: it is broken\n", "panic: it is broken"],
  ])("is read from the engine's text if it didn't begin: %s", (_case, written, message) => {
    const failure = engineFailure(commandError("pulumi up --stack local", written));
    expect(failure.message).toBe(message);
  });

  it("keeps the message of an error that isn't the engine's", () => {
    expect(engineFailure(new Error("no space is left")).message).toBe("no space is left");
  });
});
