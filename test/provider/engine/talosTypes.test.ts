import { HANDLER_NAMES } from "../../../provider/engine/dynamicStub";
import { dynamicType, pluginType, talosKind } from "../../../provider/engine/talosTypes";

describe("the kind of a type", () => {
  it("is the same for a dynamic resource and for one of the plugin", () => {
    for (const kind of HANDLER_NAMES) {
      expect([talosKind(dynamicType(kind)), talosKind(pluginType(kind))]).toEqual([kind, kind]);
    }
  });

  it.each([
    "talos-aws:index:TalosCluster",
    "pulumi-nodejs:dynamic:Resource",
    "pulumi-nodejs:dynamic/talos:constructor",
    "aws:ec2/instance:Instance",
    "",
  ])("is none for %j", (type) => {
    expect(talosKind(type)).toBeUndefined();
  });
});
