// Original file: provider/api/proto/machine/machine.proto


export interface CPUInfo {
  'processor'?: (number);
  'vendorId'?: (string);
  'cpuFamily'?: (string);
  'model'?: (string);
  'modelName'?: (string);
  'stepping'?: (string);
  'microcode'?: (string);
  'cpuMhz'?: (number | string);
  'cacheSize'?: (string);
  'physicalId'?: (string);
  'siblings'?: (number);
  'coreId'?: (string);
  'cpuCores'?: (number);
  'apicId'?: (string);
  'initialApicId'?: (string);
  'fpu'?: (string);
  'fpuException'?: (string);
  'cpuIdLevel'?: (number);
  'wp'?: (string);
  'flags'?: (string)[];
  'bugs'?: (string)[];
  'bogoMips'?: (number | string);
  'clFlushSize'?: (number);
  'cacheAlignment'?: (number);
  'addressSizes'?: (string);
  'powerManagement'?: (string);
}

export interface CPUInfo__Output {
  'processor': (number);
  'vendorId': (string);
  'cpuFamily': (string);
  'model': (string);
  'modelName': (string);
  'stepping': (string);
  'microcode': (string);
  'cpuMhz': (number);
  'cacheSize': (string);
  'physicalId': (string);
  'siblings': (number);
  'coreId': (string);
  'cpuCores': (number);
  'apicId': (string);
  'initialApicId': (string);
  'fpu': (string);
  'fpuException': (string);
  'cpuIdLevel': (number);
  'wp': (string);
  'flags': (string)[];
  'bugs': (string)[];
  'bogoMips': (number);
  'clFlushSize': (number);
  'cacheAlignment': (number);
  'addressSizes': (string);
  'powerManagement': (string);
}
