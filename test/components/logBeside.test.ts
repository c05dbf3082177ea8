import * as pulumi from "@pulumi/pulumi";
import { logBeside } from "../../components/logBeside";
import { build } from "./mockedGraph";

describe("a line beside a resource", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("waits for the resource, so that Pulumi's log waits for nothing", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    let register: ((urn: string) => void) | undefined;
    const urn = new Promise<string>((resolve) => {
      register = resolve;
    });
    const resource = await registeredAs(urn);
    const logged = logBeside(resource, "the zone is full", { severity: "warn" });
    // Another value settles later than whatever had not waited.
    await settled(pulumi.output("another").apply((each) => each));
    expect(warn).not.toHaveBeenCalled();

    register?.("urn:pulumi:test::test::test:index:Pool::apps");
    await logged;
    expect(warn).toHaveBeenCalledExactlyOnceWith("the zone is full", resource, undefined, false);
  });

  it("logs progress for terminals alone", async () => {
    const info = vi.spyOn(pulumi.log, "info").mockResolvedValue();
    const resource = await registeredAs("urn:pulumi:test");
    await logBeside(resource, "waits for a zone", { ephemeral: true });
    expect(info).toHaveBeenCalledExactlyOnceWith("waits for a zone", resource, undefined, true);
  });
});

async function registeredAs(urn: pulumi.Input<string>): Promise<pulumi.Resource> {
  const { value: made } = await build(
    () => new pulumi.ComponentResource("test:index:Pool", "apps"),
  );
  Object.defineProperty(made, "urn", { value: pulumi.output(urn) });
  return made;
}

function settled<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
