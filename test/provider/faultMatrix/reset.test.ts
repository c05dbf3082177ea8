import { testFaults } from "./runCells";

jest.setTimeout(180_000);

describe("the reset of a machine, while", () => {
  testFaults("reset");
});
