import { imageFacts, tagOf, talosImages } from "../../../../emulator/talos/config/imageFacts";
import { talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import record112 from "../../../provider/testdata/machinerySource/v1.12.json";
import record114 from "../../../provider/testdata/machinerySource/v1.14.json";

/** A tag as Talos' record of it has it, which leaves out a leading v. */
const bare = (image = "") => tagOf(image).replace(/^v/, "");

describe("the images of a Talos release", () => {
  test.each([
    ["v1.12.1", record112],
    ["v1.14.1", record114],
  ])("are those of machinery %s", (release, { imageTags }) => {
    const { etcd, coreDns, flannel, apiServer } = imageFacts({ cluster: {} }, release);
    expect({
      coreDns: bare(coreDns),
      etcd: bare(etcd),
      flannel: bare(flannel),
      kubernetes: bare(apiServer),
    }).toEqual(imageTags);
  });

  test("are known of every release", () => {
    expect([...talosImages.keys()]).toEqual([...talosSchemas.keys()]);
  });
});
