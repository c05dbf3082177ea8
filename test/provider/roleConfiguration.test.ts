import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { installerImage } from "../../provider/config/installer/installerImage";
import type { ConfigDocument } from "../../provider/config/machineConfig";
import { schemaOfDocuments } from "../../provider/config/schema/talosSchemas";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { renderConfiguration, type RenderResult } from "../../provider/render/renderConfiguration";
import { RoleConfiguration } from "../../provider/render/renderMachineConfiguration";
import { machineConfigurationInputs } from "./resources/samples";

const labelled = (value: string): ConfigDocument => ({
  machine: { nodeLabels: { "example.com/rack": value } },
});
const longestText = 100;

describe("RoleConfiguration", () => {
  let documents: ConfigDocument[];
  let role: RoleConfiguration;
  const rendered = (patches: ConfigDocument[]): RenderResult =>
    renderConfiguration(documents, patches, { schema: schemaOfDocuments(documents), longestText });

  beforeEach(async () => {
    const inputs = await machineConfigurationInputs();
    documents = generateMachineConfig({ ...inputs, installerImage: installerImage(inputs) });
    role = new RoleConfiguration(encodeDocuments(documents), longestText);
  });

  it("is rendered once for all machines with the same patches", () => {
    const first = role.render([labelled("a")]);
    expect(first).toEqual(rendered([labelled("a")]));
    expect(role.render([labelled("a")])).toBe(first);
  });

  it("is rendered for each machine with its own patches, also after others", () => {
    for (const rack of ["a", "b", "c", "d", "e", "f", "a"]) {
      expect(role.render([labelled(rack)])).toEqual(rendered([labelled(rack)]));
    }
    expect(role.render([labelled("a"), labelled("b")])).toEqual(
      rendered([labelled("a"), labelled("b")]),
    );
    expect(role.render([])).toEqual(rendered([]));
  });

  it("is independent of later changes to patch objects", () => {
    const patch = labelled("a");
    role.render([patch]);
    Object.assign(patch, labelled("b"));
    expect(role.render([patch])).toEqual(rendered([labelled("b")]));
    expect(role.render([labelled("a")])).toEqual(rendered([labelled("a")]));
  });

  it("gives each machine values that the others can't change", () => {
    const result = role.render([]);
    if ("failures" in result) {
      throw new Error(JSON.stringify(result.failures));
    }
    expect(() => Object.assign(result.rendered.outline, { machine: {} })).toThrow(TypeError);
    const refused = role.render([{ machine: { kubelt: {} } }]);
    if ("rendered" in refused) {
      throw new Error("it was rendered");
    }
    expect(() => refused.failures.pop()).toThrow(TypeError);
  });
});
