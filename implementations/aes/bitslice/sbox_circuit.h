/*
 * The S-box of AES as a Boolean circuit of 113 gates, over bit planes.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1.1. The circuit is that of J. Boyar, R.
 * Peralta and C. Calik, "SLP_AES_113", Circuit Minimization Team, Yale University
 * (http://www.cs.yale.edu/homes/peralta/CircuitStuff/CMT.html), with its names: input U0 (most
 * significant bit) to U7, output S0 to S7. The order of the gates was optimised for few live values
 * at a time, because the cores have only 8 to 32 registers.
 *
 * The type aes_plane is defined before this file is included. If it is not an unsigned integer, so
 * are the gates AES_XOR and AES_AND.
 */
#ifndef PENNYWEIGHT_AES_SBOX_CIRCUIT_H
#define PENNYWEIGHT_AES_SBOX_CIRCUIT_H

#if !defined(AES_XOR)
#define AES_XOR(x, y) ((x) ^ (y))
#define AES_AND(x, y) ((x) & (y))
#endif

/* SUBBYTES without its last step: of each byte whose bit i is in q[i], SBOX() ^ {63}, for the 8
 * planes at q. The caller adds {63} where it costs least: in the round keys. A gate may read what
 * follows the planes, so that q is not an array of 8. */
static inline void sub_bytes_without_63(aes_plane *q)
{
    const aes_plane U0 = q[7], U1 = q[6], U2 = q[5], U3 = q[4];
    const aes_plane U4 = q[3], U5 = q[2], U6 = q[1], U7 = q[0];

    const aes_plane y14 = AES_XOR(U3, U5);
    const aes_plane y13 = AES_XOR(U0, U6);
    const aes_plane y12 = AES_XOR(y13, y14);
    const aes_plane t1 = AES_XOR(U4, y12);
    const aes_plane t0 = AES_XOR(U1, U2);
    const aes_plane y20 = AES_XOR(t1, U1);
    const aes_plane y15 = AES_XOR(t1, U5);
    const aes_plane y8 = AES_XOR(U0, U5);
    const aes_plane y1 = AES_XOR(t0, U7);
    const aes_plane y5 = AES_XOR(y1, U6);
    const aes_plane y9 = AES_XOR(U0, U3);
    const aes_plane y4 = AES_XOR(y1, U3);
    const aes_plane y11 = AES_XOR(y20, y9);
    const aes_plane y10 = AES_XOR(y15, t0);
    const aes_plane y16 = AES_XOR(t0, y11);
    const aes_plane y18 = AES_XOR(U0, y16);
    const aes_plane y2 = AES_XOR(y1, U0);
    const aes_plane t7 = AES_AND(y13, y16);
    const aes_plane t8 = AES_AND(y5, y1);
    const aes_plane t9 = AES_XOR(t8, t7);
    const aes_plane y7 = AES_XOR(U7, y11);
    const aes_plane t10 = AES_AND(y2, y7);
    const aes_plane t11 = AES_XOR(t10, t7);
    const aes_plane t15 = AES_AND(y8, y10);
    const aes_plane t12 = AES_AND(y9, y11);
    const aes_plane t16 = AES_XOR(t15, t12);
    const aes_plane t20 = AES_XOR(t11, t16);
    const aes_plane t24 = AES_XOR(t20, y18);
    const aes_plane t2 = AES_AND(y12, y15);
    const aes_plane t5 = AES_AND(y4, U7);
    const aes_plane t6 = AES_XOR(t5, t2);
    const aes_plane t18 = AES_XOR(t6, t16);
    const aes_plane y19 = AES_XOR(y10, y8);
    const aes_plane t22 = AES_XOR(t18, y19);
    const aes_plane y6 = AES_XOR(y15, U7);
    const aes_plane y3 = AES_XOR(y5, y8);
    const aes_plane t3 = AES_AND(y3, y6);
    const aes_plane t4 = AES_XOR(t3, t2);
    const aes_plane t17 = AES_XOR(t4, y20);
    const aes_plane y17 = AES_XOR(y10, y11);
    const aes_plane t13 = AES_AND(y14, y17);
    const aes_plane t14 = AES_XOR(t13, t12);
    const aes_plane t19 = AES_XOR(t9, t14);
    const aes_plane t21 = AES_XOR(t17, t14);
    const aes_plane y21 = AES_XOR(y13, y16);
    const aes_plane t23 = AES_XOR(t19, y21);
    const aes_plane t26 = AES_AND(t21, t23);
    const aes_plane t25 = AES_XOR(t21, t22);
    const aes_plane t31 = AES_XOR(t22, t26);
    const aes_plane t30 = AES_XOR(t23, t24);
    const aes_plane t32 = AES_AND(t31, t30);
    const aes_plane t33 = AES_XOR(t32, t24);
    const aes_plane t34 = AES_XOR(t23, t33);
    const aes_plane t27 = AES_XOR(t24, t26);
    const aes_plane t35 = AES_XOR(t27, t33);
    const aes_plane t36 = AES_AND(t24, t35);
    const aes_plane t37 = AES_XOR(t36, t34);
    const aes_plane t38 = AES_XOR(t27, t36);
    const aes_plane t28 = AES_AND(t25, t27);
    const aes_plane t29 = AES_XOR(t28, t22);
    const aes_plane t39 = AES_AND(t29, t38);
    const aes_plane t40 = AES_XOR(t25, t39);
    const aes_plane z5 = AES_AND(t29, y7);
    const aes_plane z1 = AES_AND(t37, y6);
    const aes_plane z4 = AES_AND(t40, y1);
    const aes_plane z10 = AES_AND(t37, y3);
    const aes_plane z13 = AES_AND(t40, y5);
    const aes_plane t43 = AES_XOR(t29, t40);
    const aes_plane z3 = AES_AND(t43, y16);
    const aes_plane z12 = AES_AND(t43, y13);
    const aes_plane tc12 = AES_XOR(z3, z5);
    const aes_plane tc6 = AES_XOR(z3, z4);
    const aes_plane t41 = AES_XOR(t40, t37);
    const aes_plane t44 = AES_XOR(t33, t37);
    const aes_plane z9 = AES_AND(t44, y12);
    const aes_plane z0 = AES_AND(t44, y15);
    const aes_plane z2 = AES_AND(t33, U7);
    const aes_plane tc4 = AES_XOR(z0, z2);
    const aes_plane tc5 = AES_XOR(z1, z0);
    const aes_plane z14 = AES_AND(t29, y2);
    const aes_plane t42 = AES_XOR(t29, t33);
    const aes_plane z11 = AES_AND(t33, y4);
    const aes_plane z6 = AES_AND(t42, y11);
    const aes_plane z15 = AES_AND(t42, y9);
    const aes_plane t45 = AES_XOR(t42, t41);
    const aes_plane z7 = AES_AND(t45, y17);
    const aes_plane z16 = AES_AND(t45, y14);
    const aes_plane tc11 = AES_XOR(tc6, tc5);
    const aes_plane tc8 = AES_XOR(z7, tc6);
    const aes_plane z8 = AES_AND(t41, y10);
    const aes_plane z17 = AES_AND(t41, y8);
    const aes_plane tc1 = AES_XOR(z15, z16);
    const aes_plane tc13 = AES_XOR(z13, tc1);
    const aes_plane tc2 = AES_XOR(z10, tc1);
    const aes_plane tc14 = AES_XOR(tc4, tc12);
    const aes_plane tc7 = AES_XOR(z12, tc4);
    const aes_plane tc3 = AES_XOR(z9, tc2);
    const aes_plane tc16 = AES_XOR(z6, tc8);
    const aes_plane tc9 = AES_XOR(z8, tc7);
    const aes_plane S3 = AES_XOR(tc3, tc11);
    const aes_plane S0 = AES_XOR(tc3, tc16);
    const aes_plane tc21 = AES_XOR(tc2, z11);
    const aes_plane tc20 = AES_XOR(z15, tc16);
    const aes_plane tc10 = AES_XOR(tc8, tc9);
    const aes_plane S1 = AES_XOR(S3, tc16);
    const aes_plane tc18 = AES_XOR(tc13, tc14);
    const aes_plane tc17 = AES_XOR(z14, tc10);
    const aes_plane tc26 = AES_XOR(tc17, tc20);
    const aes_plane S6 = AES_XOR(tc10, tc18);
    const aes_plane S4 = AES_XOR(tc14, S3);
    const aes_plane S5 = AES_XOR(tc21, tc17);
    const aes_plane S7 = AES_XOR(z12, tc18);
    const aes_plane S2 = AES_XOR(tc26, z17);

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
