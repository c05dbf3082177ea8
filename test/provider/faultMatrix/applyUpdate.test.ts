import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("another configuration of a machine, while", () => {
  testFaults("applyUpdate");
});
