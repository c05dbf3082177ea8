import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { OLDEST_VERSION, PULUMI_VERSION } from "../../scripts/ensurePulumi";
import { engineFromEnvironment } from "./support/engineFromEnvironment";

it("tests the engine that goes with the installed SDK", async () => {
  const { version } = await engineFromEnvironment();
  expect(version?.version).toBe(PULUMI_VERSION);
  expect(PULUMI_VERSION === OLDEST_VERSION).toBe(sdkVersion === OLDEST_VERSION);
});
