import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { KIND_NAMES } from "../../plugin/kinds";
import { check } from "../../plugin/resources";
import { UNKNOWN } from "../../provider/base/unknown";
import { pluginType } from "../../provider/engine/talosTypes";
import { messageOf } from "../../provider/rpc/properties";
import { resourceSchema } from "../../provider/schema/packageSchema";
import { readExampleProgram, Reference } from "../../scripts/schema/examples/exampleProgram";

/** What the check of an example's resource refuses, without the arguments that may be left out. */
async function refused(type: string): Promise<readonly string[]> {
  const example = readExampleProgram().find(({ token }) => token === type);
  const { requiredInputs = [] } = resourceSchema(type);
  const given = Object.entries(example?.properties ?? {})
    .filter(([name]) => requiredInputs.includes(name))
    .map(([name, value]): [string, unknown] => [
      name,
      value instanceof Reference ? UNKNOWN : value,
    ]);
  const request = new messages.CheckRequest();
  request.setType(type);
  request.setUrn(`urn:pulumi:dev::demo::${type}::one`);
  request.setOlds(new Struct());
  request.setNews(messageOf(Object.fromEntries<unknown>(given)));
  return (await check(request)).getFailuresList().map((failure) => failure.getReason());
}

it.each(KIND_NAMES)(
  "%s needs no more than the arguments that the schema requires",
  async (name) => {
    expect(await refused(pluginType(name))).toEqual([]);
  },
);
