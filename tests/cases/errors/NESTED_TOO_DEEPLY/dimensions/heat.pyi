from codegen.schema import Dim, dynamic, f32

n = Dim()

class A0(dims=(n,)):
    x: dynamic[f32[n]]

class A1(dims=(n,)):
    a: dynamic[A0[n + n]]

class A2(dims=(n,)):
    a: dynamic[A1[n + n]]

class A3(dims=(n,)):
    a: dynamic[A2[n + n]]

class A4(dims=(n,)):
    a: dynamic[A3[n + n]]

class A5(dims=(n,)):
    a: dynamic[A4[n + n]]

class A6(dims=(n,)):
    a: dynamic[A5[n + n]]

class A7(dims=(n,)):
    a: dynamic[A6[n + n]]

class A8(dims=(n,)):
    a: dynamic[A7[n + n]]

class A9(dims=(n,)):
    a: dynamic[A8[n + n]]

class A10(dims=(n,)):
    a: dynamic[A9[n + n]]

class A11(dims=(n,)):
    a: dynamic[A10[n + n]]

class A12(dims=(n,)):
    a: dynamic[A11[n + n]]

class A13(dims=(n,)):
    a: dynamic[A12[n + n]]

class A14(dims=(n,)):
    a: dynamic[A13[n + n]]

class Deep0(dims=(n,)):
    x: dynamic[f32[n]]

class Deep1(dims=(n,)):
    a: dynamic[Deep0[n + 1]]

class Deep2(dims=(n,)):
    a: dynamic[Deep1[n + 1]]

class Deep3(dims=(n,)):
    a: dynamic[Deep2[n + 1]]

class Deep4(dims=(n,)):
    a: dynamic[Deep3[n + 1]]

class Deep5(dims=(n,)):
    a: dynamic[Deep4[n + 1]]

class Deep6(dims=(n,)):
    a: dynamic[Deep5[n + 1]]

class Deep7(dims=(n,)):
    a: dynamic[Deep6[n + 1]]

class Deep8(dims=(n,)):
    a: dynamic[Deep7[n + 1]]

class Deep9(dims=(n,)):
    a: dynamic[Deep8[n + 1]]

class Deep10(dims=(n,)):
    a: dynamic[Deep9[n + 1]]

class Deep11(dims=(n,)):
    a: dynamic[Deep10[n + 1]]

class Deep12(dims=(n,)):
    a: dynamic[Deep11[n + 1]]

class Deep13(dims=(n,)):
    a: dynamic[Deep12[n + 1]]

class Deep14(dims=(n,)):
    a: dynamic[Deep13[n + 1]]

class Deep15(dims=(n,)):
    a: dynamic[Deep14[n + 1]]

class Deep16(dims=(n,)):
    a: dynamic[Deep15[n + 1]]

class Deep17(dims=(n,)):
    a: dynamic[Deep16[n + 1]]

class Deep18(dims=(n,)):
    a: dynamic[Deep17[n + 1]]

class Deep19(dims=(n,)):
    a: dynamic[Deep18[n + 1]]

class Deep20(dims=(n,)):
    a: dynamic[Deep19[n + 1]]

class Deep21(dims=(n,)):
    a: dynamic[Deep20[n + 1]]

class Deep22(dims=(n,)):
    a: dynamic[Deep21[n + 1]]

class Deep23(dims=(n,)):
    a: dynamic[Deep22[n + 1]]

class Deep24(dims=(n,)):
    a: dynamic[Deep23[n + 1]]

class Deep25(dims=(n,)):
    a: dynamic[Deep24[n + 1]]

class Deep26(dims=(n,)):
    a: dynamic[Deep25[n + 1]]

class Deep27(dims=(n,)):
    a: dynamic[Deep26[n + 1]]

class Deep28(dims=(n,)):
    a: dynamic[Deep27[n + 1]]

class Deep29(dims=(n,)):
    a: dynamic[Deep28[n + 1]]

class Deep30(dims=(n,)):
    a: dynamic[Deep29[n + 1]]

class Deep31(dims=(n,)):
    a: dynamic[Deep30[n + 1]]

class Deep32(dims=(n,)):
    a: dynamic[Deep31[n + 1]]

class Deep33(dims=(n,)):
    a: dynamic[Deep32[n + 1]]

class Deep34(dims=(n,)):
    a: dynamic[Deep33[n + 1]]

class Deep35(dims=(n,)):
    a: dynamic[Deep34[n + 1]]

class Deep36(dims=(n,)):
    a: dynamic[Deep35[n + 1]]

class Deep37(dims=(n,)):
    a: dynamic[Deep36[n + 1]]

class Deep38(dims=(n,)):
    a: dynamic[Deep37[n + 1]]

class Deep39(dims=(n,)):
    a: dynamic[Deep38[n + 1]]

class Deep40(dims=(n,)):
    a: dynamic[Deep39[n + 1]]

class Deep41(dims=(n,)):
    a: dynamic[Deep40[n + 1]]

class Deep42(dims=(n,)):
    a: dynamic[Deep41[n + 1]]

class Deep43(dims=(n,)):
    a: dynamic[Deep42[n + 1]]

class Deep44(dims=(n,)):
    a: dynamic[Deep43[n + 1]]

class Deep45(dims=(n,)):
    a: dynamic[Deep44[n + 1]]

class Deep46(dims=(n,)):
    a: dynamic[Deep45[n + 1]]

class Deep47(dims=(n,)):
    a: dynamic[Deep46[n + 1]]

class Deep48(dims=(n,)):
    a: dynamic[Deep47[n + 1]]

class Deep49(dims=(n,)):
    a: dynamic[Deep48[n + 1]]

class Deep50(dims=(n,)):
    a: dynamic[Deep49[n + 1]]

class Deep51(dims=(n,)):
    a: dynamic[Deep50[n + 1]]

class Deep52(dims=(n,)):
    a: dynamic[Deep51[n + 1]]

class Deep53(dims=(n,)):
    a: dynamic[Deep52[n + 1]]

class Deep54(dims=(n,)):
    a: dynamic[Deep53[n + 1]]

class Deep55(dims=(n,)):
    a: dynamic[Deep54[n + 1]]

class Deep56(dims=(n,)):
    a: dynamic[Deep55[n + 1]]

class Deep57(dims=(n,)):
    a: dynamic[Deep56[n + 1]]

class Deep58(dims=(n,)):
    a: dynamic[Deep57[n + 1]]

class Deep59(dims=(n,)):
    a: dynamic[Deep58[n + 1]]

class Deep60(dims=(n,)):
    a: dynamic[Deep59[n + 1]]

class Deep61(dims=(n,)):
    a: dynamic[Deep60[n + 1]]

class Deep62(dims=(n,)):
    a: dynamic[Deep61[n + 1]]

class Deep63(dims=(n,)):
    a: dynamic[Deep62[n + 1]]

class Deep64(dims=(n,)):
    a: dynamic[Deep63[n + 1]]

class Deep65(dims=(n,)):
    a: dynamic[Deep64[n + 1]]

class Deep66(dims=(n,)):
    a: dynamic[Deep65[n + 1]]

class Deep67(dims=(n,)):
    a: dynamic[Deep66[n + 1]]

class Deep68(dims=(n,)):
    a: dynamic[Deep67[n + 1]]

class Deep69(dims=(n,)):
    a: dynamic[Deep68[n + 1]]

class Deep70(dims=(n,)):
    a: dynamic[Deep69[n + 1]]

class Deep71(dims=(n,)):
    a: dynamic[Deep70[n + 1]]

class Deep72(dims=(n,)):
    a: dynamic[Deep71[n + 1]]

class Deep73(dims=(n,)):
    a: dynamic[Deep72[n + 1]]

class Deep74(dims=(n,)):
    a: dynamic[Deep73[n + 1]]

class Deep75(dims=(n,)):
    a: dynamic[Deep74[n + 1]]

class Deep76(dims=(n,)):
    a: dynamic[Deep75[n + 1]]

class Deep77(dims=(n,)):
    a: dynamic[Deep76[n + 1]]

class Deep78(dims=(n,)):
    a: dynamic[Deep77[n + 1]]

class Deep79(dims=(n,)):
    a: dynamic[Deep78[n + 1]]

class Deep80(dims=(n,)):
    a: dynamic[Deep79[n + 1]]

class Deep81(dims=(n,)):
    a: dynamic[Deep80[n + 1]]

class Deep82(dims=(n,)):
    a: dynamic[Deep81[n + 1]]

class Deep83(dims=(n,)):
    a: dynamic[Deep82[n + 1]]

class Deep84(dims=(n,)):
    a: dynamic[Deep83[n + 1]]

class Deep85(dims=(n,)):
    a: dynamic[Deep84[n + 1]]

class Deep86(dims=(n,)):
    a: dynamic[Deep85[n + 1]]

class Deep87(dims=(n,)):
    a: dynamic[Deep86[n + 1]]

class Deep88(dims=(n,)):
    a: dynamic[Deep87[n + 1]]

class Deep89(dims=(n,)):
    a: dynamic[Deep88[n + 1]]

class Deep90(dims=(n,)):
    a: dynamic[Deep89[n + 1]]

class Deep91(dims=(n,)):
    a: dynamic[Deep90[n + 1]]

class Deep92(dims=(n,)):
    a: dynamic[Deep91[n + 1]]

class Deep93(dims=(n,)):
    a: dynamic[Deep92[n + 1]]

class Deep94(dims=(n,)):
    a: dynamic[Deep93[n + 1]]

class Deep95(dims=(n,)):
    a: dynamic[Deep94[n + 1]]

class Deep96(dims=(n,)):
    a: dynamic[Deep95[n + 1]]

class Deep97(dims=(n,)):
    a: dynamic[Deep96[n + 1]]

class Deep98(dims=(n,)):
    a: dynamic[Deep97[n + 1]]

class Deep99(dims=(n,)):
    a: dynamic[Deep98[n + 1]]

class Deep100(dims=(n,)):
    a: dynamic[Deep99[n + 1]]

class Deep101(dims=(n,)):
    a: dynamic[Deep100[n + 1]]

class Deep102(dims=(n,)):
    a: dynamic[Deep101[n + 1]]
