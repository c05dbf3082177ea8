import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { program } from "../../environments/program";
import type { PreviewedResource } from "../../preview/previewedResource";
import { HOURS_PER_MONTH } from "../../preview/prices";
import { type MonthlyCost, planCost } from "../../preview/resourceCost";
import { build, type Registered } from "../components/mockedGraph";
import { configOf } from "./settingsFile";

const root = join(__dirname, "../..");

/** What the resources of a stack cost that is made with its shipped settings. */
async function costOf(stack: string): Promise<MonthlyCost> {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  try {
    const { graph } = await build(
      () => {
        pulumi.runtime.setAllConfig({ ...configOf(stack), "talos-aws:preset": stack });
        return program();
      },
      { preview: true },
    );
    return planCost(graph.resources.map(previewed)).after;
  } finally {
    warn.mockRestore();
    pulumi.runtime.setAllConfig({});
  }
}

function previewed({ type, name, urn, parent, inputs }: Registered): PreviewedResource {
  return {
    urn,
    type,
    name,
    parent,
    isComponent: false,
    id: "",
    operation: "create",
    isProtected: false,
    isProtectedAfter: false,
    changes: [],
    replacedBy: [],
    oldInputs: {},
    oldOutputs: {},
    newInputs: inputs,
    newOutputs: { region: "us-east-1" },
  };
}

describe("the cost of the README's program", () => {
  it("is the one that the page about programs of one's own states", async () => {
    const { graph } = await build(() => import("../../examples/quickstart/index.js"), {
      preview: true,
    });
    const { usd, usdAtMost, unpriced } = planCost(graph.resources.map(previewed)).after;
    expect([usdAtMost, unpriced]).toEqual([usd, []]);
    const page = readFileSync(join(root, "docs/guides/your-own-program.md"), "utf8");
    expect(page).toContain(`costs about $${Math.round(usd)} a month`);
  });
});

describe("the cost of examples/gpu", () => {
  afterEach(() => pulumi.runtime.setAllConfig({}));

  it("is the one that the page about workers states, by the hour", async () => {
    const { graph } = await build(
      () => {
        pulumi.runtime.setAllConfig({ "gpu:diskBucket": "example-disks" });
        return import("../../examples/gpu/index.js");
      },
      { preview: true, project: "gpu" },
    );
    const { usd, usdAtMost, unpriced } = planCost(graph.resources.map(previewed)).after;
    expect(unpriced).toEqual([]);
    const [least, most] = [usd, usdAtMost].map((each) => `$${(each / HOURS_PER_MONTH).toFixed(2)}`);
    const page = readFileSync(join(root, "docs/guides/workers.md"), "utf8");
    expect(page).toContain(`costs ${least} an hour, and ${most} with all`);
  });
});

describe("the cost of an environment", () => {
  it.each(["sandbox", "staging", "production"])(
    "is the one that the README and the settings state for %s",
    async (stack) => {
      const { usd, usdAtMost, unpriced } = await costOf(stack);
      expect(unpriced).toEqual([]);
      const [least, most] = [usd, usdAtMost].map(
        (each) => `$${Math.round(each).toLocaleString("en-US")}`,
      );
      const dollars = least === most ? least : `${least} to ${most}`;
      const readme = readFileSync(join(root, "README.md"), "utf8");
      const [row = ""] = readme.split("\n").filter((line) => line.startsWith(`| \`${stack}\``));
      expect(row).toContain(`| ${dollars} `);
      const settings = readFileSync(join(root, `environments/Pulumi.${stack}.yaml`), "utf8");
      expect(settings).toContain(`Costs about ${dollars} a month`);
    },
  );
});
