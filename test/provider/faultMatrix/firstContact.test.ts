import { testFaults } from "./runCells";

describe("the first contact with a machine, while", () => {
  testFaults("firstContact");
});
