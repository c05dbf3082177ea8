import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "../../../../components";
import { checkConfiguration } from "../../../../components/cluster/checks/checkConfiguration";
import { build } from "../../mockedGraph";

describe("configuration of this package's namespace", () => {
  const told = (...keys: string[]) =>
    checkConfiguration("shop", keys).map(({ property, reason }) => `${property}: ${reason}`);

  it("is refused where nothing reads it, with the argument to set instead, all at once", () => {
    expect(told("talos-aws:talosVersion", "aws:region", "talos-aws:controlPlane")).toEqual([
      `talos-aws:talosVersion: the project "shop" doesn't read it: set the cluster's argument talosVersion in the program, and run "pulumi config rm talos-aws:talosVersion"`,
      `talos-aws:controlPlane: the project "shop" doesn't read it: set the cluster's argument controlPlane in the program, and run "pulumi config rm talos-aws:controlPlane"`,
    ]);
  });

  it("is refused with a suggestion if it is no argument", () => {
    expect(told("talos-aws:talosVerison", "talos-aws:plugins", "talos-aws:preset")).toEqual([
      expect.stringContaining("set the cluster's argument talosVersion if that is meant, and run"),
      expect.stringContaining("set talos-aws:plugin if that is meant, and run"),
      `talos-aws:preset: the project "shop" doesn't read it: run "pulumi config rm talos-aws:preset"`,
    ]);
  });

  it("is accepted where this package reads it, and in a project of that name", () => {
    expect(told("talos-aws:plugin", "talos-aws:talosconfig", "shop:talosVersion")).toEqual([]);
    expect(checkConfiguration("talos-aws", ["talos-aws:talosVersion"])).toEqual([]);
  });

  it("is refused with a cluster's arguments, before anything is registered", async () => {
    pulumi.runtime.setAllConfig({ "talos-aws:talosVersion": "v1.13.2" });
    onTestFinished(() => pulumi.runtime.setAllConfig({}));
    const make = () =>
      new TalosCluster("demo", {
        environment: "demo",
        domain: "example",
        talosVersion: "v1.12.1",
        versionContract: "v1.12",
        kubernetesVersion: "v1.35.0",
        operatorCidrs: ["203.0.113.7/32"],
        network: { zones: ["us-east-1a"] },
      });
    await expect(build(make, { project: "shop" })).rejects.toThrow(
      /talos-aws:talosVersion: .*argument talosVersion.*\n.*domain: "example" is no domain name/,
    );
  });
});
