import { parseDocument } from "yaml";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";

/** What a run says when it fails. */
const failure = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "it succeeds",
    (error: unknown) => String(error),
  );

describe("settings that name what the account doesn't have, by the real engine", () => {
  let world: EngineWorld;

  beforeAll(async () => {
    const settings = parseDocument(await localSettings());
    settings.setIn(["config", "talos-aws:controlPlane"], { imageOwner: "self", imageName: "mine" });
    settings.setIn(["config", "talos-aws:dns"], {});
    world = await startEngineWorld({ settings: settings.toString() });
  });

  afterAll(() => world.close());

  it("fail a preview, which says all of it", async () => {
    const said = await failure(world.stack.preview(world.record));
    expect(said).toContain('no image "mine" of this account exists in us-east-1');
    expect(said).toContain("can't find the public hosted zone");
  });

  it("end an update that nothing was previewed for, and leave no machine", async () => {
    const said = await failure(world.stack.up(world.record));
    expect(said).toMatch(/no image "mine" of this account|can't find the public hosted zone/);
    const state = await world.stack.exportStack();
    expect(JSON.stringify(state)).not.toContain("aws:ec2/instance:Instance");
    await world.stack.destroy(world.record);
  });
});
