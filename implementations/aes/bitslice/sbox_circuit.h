/*
 * The S-box of AES as a Boolean circuit of 113 gates, over bit planes.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1.1. The circuit is that of J. Boyar, R.
 * Peralta and C. Calik, "SLP_AES_113", Circuit Minimization Team, Yale University
 * (http://www.cs.yale.edu/homes/peralta/CircuitStuff/CMT.html), with its names: input U0 (most
 * significant bit) to U7, output S0 to S7. The order of the gates was optimised for few live values
 * at a time, because the cores have only 8 to 32 registers.
 *
 * The type aes_plane, an unsigned integer, is defined before this file is included.
 */
#ifndef PENNYWEIGHT_AES_SBOX_CIRCUIT_H
#define PENNYWEIGHT_AES_SBOX_CIRCUIT_H

/* SUBBYTES without its last step: of each byte whose bit i is in q[i], SBOX() ^ {63}. The caller
 * adds {63} where it costs least: in the round keys. */
static inline void sub_bytes_without_63(aes_plane q[8])
{
    const aes_plane U0 = q[7], U1 = q[6], U2 = q[5], U3 = q[4];
    const aes_plane U4 = q[3], U5 = q[2], U6 = q[1], U7 = q[0];

    const aes_plane y14 = U3 ^ U5;
    const aes_plane y13 = U0 ^ U6;
    const aes_plane y12 = y13 ^ y14;
    const aes_plane t1 = U4 ^ y12;
    const aes_plane t0 = U1 ^ U2;
    const aes_plane y20 = t1 ^ U1;
    const aes_plane y15 = t1 ^ U5;
    const aes_plane y8 = U0 ^ U5;
    const aes_plane y1 = t0 ^ U7;
    const aes_plane y5 = y1 ^ U6;
    const aes_plane y9 = U0 ^ U3;
    const aes_plane y4 = y1 ^ U3;
    const aes_plane y11 = y20 ^ y9;
    const aes_plane y10 = y15 ^ t0;
    const aes_plane y16 = t0 ^ y11;
    const aes_plane y18 = U0 ^ y16;
    const aes_plane y2 = y1 ^ U0;
    const aes_plane t7 = y13 & y16;
    const aes_plane t8 = y5 & y1;
    const aes_plane t9 = t8 ^ t7;
    const aes_plane y7 = U7 ^ y11;
    const aes_plane t10 = y2 & y7;
    const aes_plane t11 = t10 ^ t7;
    const aes_plane t15 = y8 & y10;
    const aes_plane t12 = y9 & y11;
    const aes_plane t16 = t15 ^ t12;
    const aes_plane t20 = t11 ^ t16;
    const aes_plane t24 = t20 ^ y18;
    const aes_plane t2 = y12 & y15;
    const aes_plane t5 = y4 & U7;
    const aes_plane t6 = t5 ^ t2;
    const aes_plane t18 = t6 ^ t16;
    const aes_plane y19 = y10 ^ y8;
    const aes_plane t22 = t18 ^ y19;
    const aes_plane y6 = y15 ^ U7;
    const aes_plane y3 = y5 ^ y8;
    const aes_plane t3 = y3 & y6;
    const aes_plane t4 = t3 ^ t2;
    const aes_plane t17 = t4 ^ y20;
    const aes_plane y17 = y10 ^ y11;
    const aes_plane t13 = y14 & y17;
    const aes_plane t14 = t13 ^ t12;
    const aes_plane t19 = t9 ^ t14;
    const aes_plane t21 = t17 ^ t14;
    const aes_plane y21 = y13 ^ y16;
    const aes_plane t23 = t19 ^ y21;
    const aes_plane t26 = t21 & t23;
    const aes_plane t25 = t21 ^ t22;
    const aes_plane t31 = t22 ^ t26;
    const aes_plane t30 = t23 ^ t24;
    const aes_plane t32 = t31 & t30;
    const aes_plane t33 = t32 ^ t24;
    const aes_plane t34 = t23 ^ t33;
    const aes_plane t27 = t24 ^ t26;
    const aes_plane t35 = t27 ^ t33;
    const aes_plane t36 = t24 & t35;
    const aes_plane t37 = t36 ^ t34;
    const aes_plane t38 = t27 ^ t36;
    const aes_plane t28 = t25 & t27;
    const aes_plane t29 = t28 ^ t22;
    const aes_plane t39 = t29 & t38;
    const aes_plane t40 = t25 ^ t39;
    const aes_plane z5 = t29 & y7;
    const aes_plane z1 = t37 & y6;
    const aes_plane z4 = t40 & y1;
    const aes_plane z10 = t37 & y3;
    const aes_plane z13 = t40 & y5;
    const aes_plane t43 = t29 ^ t40;
    const aes_plane z3 = t43 & y16;
    const aes_plane z12 = t43 & y13;
    const aes_plane tc12 = z3 ^ z5;
    const aes_plane tc6 = z3 ^ z4;
    const aes_plane t41 = t40 ^ t37;
    const aes_plane t44 = t33 ^ t37;
    const aes_plane z9 = t44 & y12;
    const aes_plane z0 = t44 & y15;
    const aes_plane z2 = t33 & U7;
    const aes_plane tc4 = z0 ^ z2;
    const aes_plane tc5 = z1 ^ z0;
    const aes_plane z14 = t29 & y2;
    const aes_plane t42 = t29 ^ t33;
    const aes_plane z11 = t33 & y4;
    const aes_plane z6 = t42 & y11;
    const aes_plane z15 = t42 & y9;
    const aes_plane t45 = t42 ^ t41;
    const aes_plane z7 = t45 & y17;
    const aes_plane z16 = t45 & y14;
    const aes_plane tc11 = tc6 ^ tc5;
    const aes_plane tc8 = z7 ^ tc6;
    const aes_plane z8 = t41 & y10;
    const aes_plane z17 = t41 & y8;
    const aes_plane tc1 = z15 ^ z16;
    const aes_plane tc13 = z13 ^ tc1;
    const aes_plane tc2 = z10 ^ tc1;
    const aes_plane tc14 = tc4 ^ tc12;
    const aes_plane tc7 = z12 ^ tc4;
    const aes_plane tc3 = z9 ^ tc2;
    const aes_plane tc16 = z6 ^ tc8;
    const aes_plane tc9 = z8 ^ tc7;
    const aes_plane S3 = tc3 ^ tc11;
    const aes_plane S0 = tc3 ^ tc16;
    const aes_plane tc21 = tc2 ^ z11;
    const aes_plane tc20 = z15 ^ tc16;
    const aes_plane tc10 = tc8 ^ tc9;
    const aes_plane S1 = S3 ^ tc16;
    const aes_plane tc18 = tc13 ^ tc14;
    const aes_plane tc17 = z14 ^ tc10;
    const aes_plane tc26 = tc17 ^ tc20;
    const aes_plane S6 = tc10 ^ tc18;
    const aes_plane S4 = tc14 ^ S3;
    const aes_plane S5 = tc21 ^ tc17;
    const aes_plane S7 = z12 ^ tc18;
    const aes_plane S2 = tc26 ^ z17;

    q[7] = S0;
    q[6] = S1;
    q[5] = S2;
    q[4] = S3;
    q[3] = S4;
    q[2] = S5;
    q[1] = S6;
    q[0] = S7;
}

#endif
