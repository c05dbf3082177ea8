import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("the first configuration of a machine, while", () => {
  testFaults("applyFirst");
});
