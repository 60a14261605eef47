export { MockToolgate, type MockCall, type MockOptions, type MockResult } from './mock-toolgate.js';
