import type { ApiDescription } from "../../../scripts/adopt/apiDescription";
import { compareApi } from "../../../scripts/adopt/compareApi";

const before: ApiDescription = {
  talos: "v1.1.0",
  services: {
    "machine.MachineService": {
      file: "machine.proto",
      methods: {
        Old: { input: "machine.Request", output: "machine.Reply" },
        Same: { input: "machine.Request", output: "machine.Reply" },
      },
    },
  },
  messages: {
    "machine.Request": {
      file: "machine.proto",
      fields: [
        { name: "gone", number: 1, type: "string" },
        { name: "other", number: 2, type: "string" },
      ],
    },
    "machine.Former": { file: "machine.proto", fields: [] },
    "google.protobuf.Any": { file: "any.proto", fields: [] },
  },
  enums: { "machine.Mode": { file: "machine.proto", values: { A: 0 } } },
};

const after: ApiDescription = {
  talos: "v1.2.0",
  services: {
    "machine.MachineService": {
      file: "machine.proto",
      methods: {
        Same: { input: "machine.Request", output: "machine.Reply", serverStreaming: true },
      },
    },
  },
  messages: {
    "machine.Request": {
      file: "machine.proto",
      fields: [{ name: "other", number: 2, type: "string", repeated: true }],
    },
    "machine.Later": { file: "machine.proto", fields: [{ name: "a", number: 1, type: "bool" }] },
    "google.protobuf.Any": {
      file: "any.proto",
      fields: [{ name: "a", number: 1, type: "bool" }],
    },
  },
  enums: { "machine.Mode": { file: "machine.proto", values: { A: 0, B: 1 } } },
};

it("names methods, fields of messages that both have, and words", () => {
  expect(compareApi(before, after)).toEqual({
    methods: {
      came: [],
      went: ["machine.MachineService.Old"],
      changed: [
        {
          name: "machine.MachineService.Same",
          before: "machine.Request → machine.Reply",
          after: "machine.Request → stream machine.Reply",
        },
      ],
    },
    fields: {
      came: [],
      went: ["machine.Request.gone"],
      changed: [
        { name: "machine.Request.other", before: "string = 2", after: "repeated string = 2" },
      ],
    },
    words: { came: ["machine.Mode.B"], went: [], changed: [] },
  });
});
