import { pythonName } from "../../plugin/pythonName";
import { withSchemaNames } from "../../plugin/schemaNames";
import { messageOf, propertiesOf } from "../../provider/rpc/properties";
import { asInSchema } from "../../provider/schema/writtenName";

const CLUSTER = "talos-aws:index:TalosCluster";
const python = (args: Record<string, unknown>) => withSchemaNames(CLUSTER, args, pythonName);

it("gives the members of a choice the names that Python's SDK leaves out", () => {
  expect(python({ addOns: { ebsCsi: { extra_args: { some_key: "a" } } } })).toEqual({
    addOns: { ebsCsi: { extraArgs: { some_key: "a" } } },
  });
});

it("leaves names alone that nobody can mean", () => {
  const args = {
    addOns: { ebsCsi: { extra_arg: {}, extraArgs: {}, extra_args: {} } },
    tags: { extra_args: "a" },
    patches: [{ extra_args: 1 }],
  };
  expect(python(args)).toEqual(args);
});

it("does the same inside a secret", () => {
  const marked = messageOf({ irsa: { bucket_name: "a" } }, () => true).toJavaScript();
  const given = messageOf(python(marked));
  expect(propertiesOf(given)).toEqual({ irsa: { bucketName: "a" } });
});

it("changes nothing of a program in another language", () => {
  const args = { addOns: { ebsCsi: { extra_args: {} } } };
  expect(withSchemaNames(CLUSTER, args, asInSchema)).toBe(args);
});
