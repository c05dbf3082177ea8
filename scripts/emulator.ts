import "../emulator/cli";
